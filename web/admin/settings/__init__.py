"""How this phone shows its pages: kept on the phone in a cookie, put into every page on its way out."""
