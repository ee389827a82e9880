// What is said of YAML at more than one place.

export const NO_TAGS = 'tags have no meaning here: remove the !..., or put a text that begins with ! in quotes'
