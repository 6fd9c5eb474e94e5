"""How this phone shows the house: kept on the phone in a cookie, put into every page on its way out."""
