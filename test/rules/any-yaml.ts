// Any YAML, sound and not, of pieces: for what is to hold whatever the text is.
import fc from 'fast-check'

const piece = fc.oneof(
  fc.constantFrom(...'-?:,[]{}#&*!|>%@` \n\t"\'\r', '\uFEFF', '\u0002', '\u0018', '\u001f'),
  fc.constantFrom(
    '\n',
    '\n  ',
    '\n    ',
    ': ',
    '- ',
    '? ',
    ' #',
    '---\n',
    '...\n',
    '%YAML 1.2\n',
    'key',
    '"a b"',
    "'c'",
    '|\n  text\n',
    '&a ',
    '*a',
  ),
  fc.string({ maxLength: 4 }),
)

/** Any text of up to forty of them. */
export const anyYaml = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
