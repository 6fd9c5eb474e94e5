"""Whether the time that an answer takes tells what was done: measured, judged by chance, and able to tell."""
