// docs/scenarios.md: its example is a scenario that can be built, and it names every key.
import * as z from 'zod'
import { scenarioSchema } from '../../src/cli/scenario/scenario.ts'
import { createClient } from '../../src/client/create-client.ts'
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
  const { root, sandbox, tokens } = service
  const bot = createClient({ baseUrl: sandbox.url, token: tokens.bellhop ?? '' })
  expect((await bot.users.current({})).body.username).toBe('bellhop')
  const of = { id: 'hotel/app', merge_request_iid: 1 }
  expect((await root.mergeRequests.get(of)).body).toMatchObject({
    ...{ title: 'Say hello', state: 'opened', labels: ['dependencies'], milestone: { title: '1.0' } },
    ...{ author: { username: 'alice' }, assignee: { username: 'alice' }, reviewers: [{ username: 'bellhop' }] },
    head_pipeline: { status: 'running' },
  })
  const notes = (await root.mergeRequests.notes.list(of)).body.filter(({ body }) => body === 'Please look.')
  expect(notes.map(({ author }) => author?.username)).toEqual(['alice'])
  expect((await root.projects.hooks.list({ id: 'hotel/app' })).body).toMatchObject([
    { url: 'http://127.0.0.1:8080/hooks', pipeline_events: true, wiki_page_events: false, token_present: true },
  ])
})
