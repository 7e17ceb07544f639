// The file of the operator's chats: addresses from files and variables, and a mistake has its line and column.
import { join } from 'node:path'
import { chatsHere, chatsOf, readChats } from '../../../src/cli/chats/chats-file.ts'
import { ownFolder } from '../own-folder.ts'

const { folder, write } = ownFolder()
const url = 'https://chat.example.com/hooks/secret-of-the-chat'
const address = write('address', `${url}\n`)
const environment = { CHAT: `${url}?a=b`, WRONG: 'ftp://secret-of-the-chat', USER: 'https://secret-of-the-chat:b@c' }
const good = 'a: { kind: json, url: { variable: CHAT }'
const read = (chats: string) => readChats(`version: 1\nchats:\n${chats}`, { file: 'c.yml', environment })

test('a chat has its kind, its address and the projects that may use it', () => {
  expect(
    read(`
  team-chat: { kind: slack, url: { file: ${address} }, projects: [hotel/**, motel/app] }
  all: { kind: json, url: { variable: CHAT } }
  one: { kind: teams, url: { variable: CHAT }, projects: hotel/app }
`),
  ).toEqual({
    ok: true,
    chats: [
      { name: 'team-chat', kind: 'slack', url, projects: ['hotel/**', 'motel/app'] },
      { name: 'all', kind: 'json', url: `${url}?a=b` },
      { name: 'one', kind: 'teams', url: `${url}?a=b`, projects: ['hotel/app'] },
    ],
  })
})

test.each([
  [
    'kind',
    'a: { kind: irc, url: { variable: CHAT } }',
    '14: chats.a.kind: expected one of slack, mattermost, teams, json',
  ],
  ['address', `a: { kind: json, url: "${url}" }`, '25: chats.a.url: expected { file: PATH } or { variable: NAME }'],
  [
    'protocol',
    'a: { kind: json, url: { variable: WRONG } }',
    '25: chats.a.url: expected an http:// or https:// address',
  ],
  [
    'user',
    'a: { kind: json, url: { variable: USER } }',
    '25: chats.a.url: expected an address without user name and password',
  ],
  [
    'variable',
    'a: { kind: json, url: { variable: NONE } }',
    '25: chats.a.url: expected the secret in the variable NONE, which is not set',
  ],
  [
    'name',
    'Team: { kind: json, url: { variable: CHAT } }',
    '9: chats.Team: expected a name of small letters, digits, dots, - and _',
  ],
  ['list', `${good}, projects: [] }`, '55: chats.a.projects: expected at least one project'],
  ['key', `${good}, channel: x }`, '45: chats.a.channel: unknown key'],
])('a wrong %s is a mistake with its place, and shows no address', (_what, chat, problem) => {
  const found = read(`  ${chat}`)
  expect(found).toEqual({ ok: false, problems: [`c.yml:3:${problem}`] })
  expect(JSON.stringify(found)).not.toContain('secret-of-the-chat')
})

test('a command knows the chats only where the environment names their file', async () => {
  const file = write('here.yml', 'version: 1\nchats: { a: { kind: json, url: { variable: CHAT } } }')
  expect(await chatsHere({ BELLHOP_CHATS: file, ...environment })).toMatchObject([{ name: 'a' }])
  expect([await chatsHere({}), await chatsHere({ BELLHOP_CHATS: '' })]).toEqual([undefined, undefined])
})

test('no file is no chat, and one that cannot be used stops the start', async () => {
  expect(await chatsOf('', {})).toEqual([])
  await expect(chatsOf(join(folder, 'none.yml'), {})).rejects.toThrow('There is no file')
  await expect(chatsOf(write('two.yml', 'version: 2\nchats: {}'), {})).rejects.toThrow('expected the version 1')
})
