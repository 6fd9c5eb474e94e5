"""How a scene becomes HTML: templates, the parts that pages share, and texts in three languages."""
