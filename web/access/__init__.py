"""Who comes in: keys, codes and the PIN, who is calling, and how much one caller may ask for."""
