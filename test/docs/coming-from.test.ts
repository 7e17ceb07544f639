// The pages for people who come from other systems: their commands run, and their rules pass the check.
import { readRules } from '../../src/rules/language/documents/rule-document.ts'
import { builtCommand } from '../built-command.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { runProgram } from '../system/process.ts'
import { fencedCommands, readPage } from './pages.ts'

const policies = `resource_rules:
  issues:
    rules:
      - { name: old, conditions: { state: opened, labels: [bug] }, actions: { labels: [old] } }
`
const options = 'batch: true\nci-timeout: 30min\n'

test.each(['coming-from-gitlab-triage.md', 'coming-from-marge-bot.md'])('the commands of %s run', async (name) => {
  const page = readPage(name)
  const { folder, write } = ownFolder()
  write('.triage-policies.yml', policies)
  write('marge-bot.yml', options)
  write('rules/other.yml', 'version: 1\nrules: []\n')
  const commands = fencedCommands(page)
  expect(commands.length).toBeGreaterThan(0)
  for (const command of commands) {
    const words = [process.execPath, await builtCommand(), ...command.split(' ').slice(1)]
    expect(await runProgram(words, { cwd: folder, env: { PATH: process.env.PATH } })).toMatchObject({ code: 0 })
  }
})

test('the five lines for marge-bot are rules without problems', () => {
  const [, text = ''] = /^```yaml\n(.*?)^```/ms.exec(readPage('coming-from-marge-bot.md')) ?? []
  expect(readRules(text, '.bellhop.yml', { trust: 'repository' })).toMatchObject({ ok: true })
})
