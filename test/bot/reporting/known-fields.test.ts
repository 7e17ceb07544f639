// Lines of known fields are not searched by key, and by value all the same.
import { expect, test } from 'vitest'
import { withoutKeyRedaction } from '../../../src/bot/reporting/known-fields.ts'
import { createLog } from '../../../src/cli/output/log.ts'

test('a secret’s value is taken out of lines of known fields, and of those of their children', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', secrets: ['hush-hush'], write: (line) => lines.push(line) })
  const known = withoutKeyRedaction(log)
  known.info({ kind: 'Hook hush-hush' }, 'delivery accepted')
  known.child({ mergeRequest: 'hush-hush!1' }).info({ token: 'is searched by value alone' }, 'judged')
  log.info({ token: 'is searched by key' }, 'another')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'Hook [redacted]' },
    { mergeRequest: '[redacted]!1', token: 'is searched by value alone' },
    { token: '[redacted]' },
  ])
})
