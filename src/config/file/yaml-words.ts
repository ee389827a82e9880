// Texts about YAML that several files use.

export const NO_TAGS = 'tags have no meaning here: remove the !..., or put a text that begins with ! in quotes'
