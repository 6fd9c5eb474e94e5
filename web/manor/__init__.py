"""The manor of Chasseurs Fantômes Artéfacts for the pages: how it is drawn, and what is said about it."""
