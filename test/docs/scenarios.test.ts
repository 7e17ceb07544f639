// docs/scenarios.md: its example is a scenario that can be built, and it names every key.
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { scenarioSchema } from '../../src/cli/scenario/scenario.ts'
import { startScenario } from '../cli/scenario-service.ts'
import { readPage } from './pages.ts'

const page = readPage('scenarios.md')

/** The names of all keys below a JSON Schema. */
function keysIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysIn)
  if (typeof schema !== 'object' || schema === null) return []
  const properties = 'properties' in schema ? Object.keys(schema.properties ?? {}) : []
  return [...properties, ...Object.values(schema).flatMap(keysIn)]
}

test('it names every key of a scenario', () => {
  const keys = new Set(keysIn(z.toJSONSchema(scenarioSchema, { io: 'input' })))
  expect(keys.size).toBeGreaterThan(40)
  expect([...keys].filter((key) => !new RegExp(`(^|[\`{ ])${key}([\`:, ]|$)`, 'm').test(page))).toEqual([])
})

test('its example is built as it says', async () => {
  const [text = '', pipelines = ''] = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, each = '']) => each)
  const service = await startScenario({ text: `${text}${pipelines.replaceAll(/^/gm, '    ')}` })
  onTestFinished(() => service.close())
  const { body } = await service.root.mergeRequests.get({ id: 'hotel/app', merge_request_iid: 1 })
  expect(body).toMatchObject({
    ...{ title: 'Say hello', state: 'opened', labels: ['dependencies'], milestone: { title: '1.0' } },
    ...{ assignee: { username: 'alice' }, reviewers: [{ username: 'bellhop' }] },
  })
})
