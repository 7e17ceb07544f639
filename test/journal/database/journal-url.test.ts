// The URL of a journal's database, and that nothing of a password is shown.
import { readJournalUrl } from '../../../src/journal/database/journal-url.ts'
import { withoutCredentials } from '../../../src/queue/errors.ts'

test.each([
  ['postgres://u:p@db.example/bellhop', 'postgres://u:p@db.example/bellhop', 'postgres://db.example/bellhop'],
  ['postgresql://u:p@db.example:6432/d?sslmode=verify-full', undefined, 'postgres://db.example:6432/d'],
  ['postgres://u:12%2Fsecret@[::1]:5432/d', undefined, 'postgres://[::1]:5432/d'],
  // The last @ ends the password.
  ['postgres://u@server:my-@secret@h/d', 'postgres://u%40server:my-%40secret@h/d', 'postgres://h/d'],
  ['postgres://u@/d?host=/run/postgresql', 'postgres://u@%2Frun%2Fpostgresql/d', 'postgres://%2Frun%2Fpostgresql/d'],
  ['postgres:///d?host=/run/x&port=5433', 'postgres://%2Frun%2Fx:5433/d', 'postgres://%2Frun%2Fx:5433/d'],
  ['postgres://u@h/d?host=other&sslmode=require', 'postgres://u@other/d?sslmode=require', 'postgres://other/d'],
])('%s', (text, url, shown) => {
  const read = readJournalUrl(text)
  expect(read).toEqual({ url: url ?? text.replace('postgresql:', 'postgres:'), schema: 'bellhop', shown })
})

test('another schema is quoted in statements, as it may be a word of SQL', () => {
  expect(readJournalUrl('postgres://u:p@h/d?schema=user&sslmode=require')).toEqual({
    url: 'postgres://u:p@h/d?sslmode=require',
    schema: '"user"',
    shown: 'postgres://h/d?schema=user',
  })
})

const oneAddress = /^one address: .* a proxy or a DNS name/
const encoded = /percent-encoded \(\/ as %2F\)$/
const form = /^postgres:\/\/USER:PASSWORD@HOST\/DATABASE$/

test.each([
  ['several hosts with ports', 'postgres://u:secret@h1:5432,h2:5432/d', oneAddress],
  ['several hosts', 'postgres://u:secret@h1,h2/d', oneAddress],
  ['several hosts in the query', 'postgres://u:secret@/d?host=h1,h2', oneAddress],
  ['several ports', 'postgres://u:secret@h/d?port=1,2', oneAddress],
  ['a / in the password', 'postgres://u:12/secret@h/d', encoded],
  ['a ? in the password', 'postgres://u:12?secret@h/d', encoded],
  ['a # in the password', 'postgres://u:12#secret@h/d', encoded],
  ['an @ and a / in the password', 'postgres://u:my@12/secret@h/d', encoded],
  ['a % in the password', 'postgres://u:secret%zz@h/d', encoded],
  ['a host that is none', 'postgres://u:secret@h:port/d', form],
  ['no host', 'postgres://u:secret@/d', form],
  ['no database', 'postgres://u:secret@h', form],
  ['an empty database', 'postgres://u:secret@h/', form],
  ['a path', 'postgres://u:secret@h/d/e', form],
  ['another protocol', 'mysql://u:secret@h/d', /^embedded:DIR, or postgres:/],
  ['a schema with a quote', 'postgres://u:secret@h/d?schema=a"b', /^a schema of up to 41/],
])('%s is refused, and nothing of the text is shown', (_, text, message) => {
  const refused = () => readJournalUrl(text)
  expect(refused).toThrow(message)
  expect(refused).not.toThrow(/secret|12|h1/)
})

test('of a URL whose password has a / nothing is shown anywhere', () => {
  expect(withoutCredentials('postgres://u:12/secret@h/d')).toBe('the queue URL')
  expect(withoutCredentials('redis://u:12/secret@h')).toBe('the queue URL')
})
