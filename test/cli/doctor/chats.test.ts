// `bellhop doctor` lists the operator's chats by name, and says which of its rules post to none of them.
import { join } from 'node:path'
import { examineChats } from '../../../src/cli/doctor/rule-files.ts'
import { ownFolder } from '../own-folder.ts'

const { folder, write } = ownFolder()
write(
  'rules/a.yml',
  'version: 1\nrules:\n  - name: a\n    if: { draft: false }\n    then: { notify: { to: team, text: Hello } }\n',
)

const secret = 'https://chat.example.com/secret-of-the-chat'
const examine = async (chats: string | undefined, rulesFolder = join(folder, 'rules')) => {
  const file = chats === undefined ? '' : write('chats.yml', `version: 1\nchats: { ${chats} }\n`)
  return examineChats({ file, rulesFolder, environment: { CHAT: secret } })
}
const named = (...names: string[]) => names.map((name) => `${name}: { kind: json, url: { variable: CHAT } }`).join(', ')

test('names alone are listed', async () => {
  const findings = await examine(named('team', 'all'))
  expect(findings).toEqual([{ check: 'chats', is: 'ok', message: 'Rules may post to 2 chats: team, all.' }])
})
test.each([undefined, named('all')])('a rule of the operator that posts to none is a warning (%s)', async (chats) => {
  const message = 'A rule of the operator posts to the chat team, which nobody names.'
  expect((await examine(chats)).filter(({ is }) => is === 'warn')).toEqual([
    { check: 'chats', is: 'warn', message, remedy: 'Name it in the file of BELLHOP_CHATS.' },
  ])
})
test('nothing is said where there are neither chats nor rules that post', async () => {
  expect(await examine(undefined, join(folder, 'none'))).toEqual([])
})
test('a broken file is a failure without the address', async () => {
  const findings = await examine('team: { kind: irc, url: { variable: CHAT } }')
  expect(findings).toMatchObject([{ is: 'fail', message: expect.stringContaining('chats.team.kind: expected one of') }])
  expect(JSON.stringify(findings)).not.toContain('secret-of-the-chat')
})
