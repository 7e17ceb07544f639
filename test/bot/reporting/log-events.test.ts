// The codes of log events: each that the bot writes is in the list, and is a snake_case code.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { logEvents } from '../../../src/bot/reporting/log-events.ts'

test('every event that the bot logs is a code of the list', () => {
  // Their engineers rename these.
  const paths = readdirSync('src/bot', { recursive: true, encoding: 'utf8' }).map((path) => `src/bot/${path}`)
  const files = paths.filter((path) => path.endsWith('.ts') && !/webhook|shared-rules/.test(path))
  const used = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bevent: '([^']+)'/g)].map(([, event]) => event),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((event) => !logEvents.some((each) => each === event))).toEqual([])
  expect(logEvents.filter((event) => !/^[a-z]+(_[a-z]+)*$/.test(event))).toEqual([])
})
