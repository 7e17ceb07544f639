// Every fact, read from a running service as the page of the API has it: known, or not said by that page.
import { expect, test } from 'vitest'
import { createClient } from '../../../../src/client/create-client.ts'
import { sourceNamed } from '../../../../src/rules/facts/definition/sources.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { FactValue, SourceAnswers } from '../../../../src/rules/types.ts'
import { openWorld } from '../../../sandbox/sandbox-world.ts'
import { factsOf, input } from '../../world.ts'

/** What only Bellhop itself sees, and what only a dependency bot writes. */
const unsaid = ['pushed_by', 'version_change']

test('each state fact is known from the answers of its sources', async () => {
  const world = await openWorld()
  await world.mergeRequest({ mr: { description: 'Closes #1' } })
  await world.done('POST', '/projects/1/merge_requests/1/notes', { body: 'Nice.' })
  const client = createClient({ baseUrl: world.sandbox.url, token: 'root-token' })
  const mergeRequest = { project: 1, iid: 1 }
  const answers: SourceAnswers = {}
  const now = new Date().toISOString()

  const read = async (name: string) => {
    const source = sourceNamed(name)
    const params = source?.params(mergeRequest, answers)
    if (source === undefined || params === undefined || params === null) throw new Error(`${name} cannot be asked for`)
    if (source.paged) {
      const { items, complete } = await client.pages(source.endpoint, params, { maxPages: 2 }).collect()
      return { ok: true as const, body: items, complete }
    }
    const { body } = await client.send(source.endpoint, params)
    return { ok: true as const, body, complete: source.complete(body) }
  }
  const value = async (name: string): Promise<FactValue> => {
    for (;;) {
      const found = createView(input([], { mergeRequest, answers, now })).fact(name)
      if (found.is !== 'unread') return found
      answers[found.source] = await read(found.source)
    }
  }

  const values: Record<string, FactValue> = {}
  for (const [name, fact] of factsOf('merge_request')) if (fact.ofEvents !== true) values[name] = await value(name)
  const absent = Object.entries(values).flatMap(([name, found]) => (found.is === 'known' ? [] : [name]))
  expect(absent.sort()).toEqual(unsaid)
  const known = (name: string) => (values[name]?.is === 'known' ? values[name].value : undefined)
  expect(
    Object.fromEntries(
      ['author', 'iid', 'commit_titles', 'commits_count', 'versions_count', 'target_branch'].map((name) => [
        name,
        known(name),
      ]),
    ),
  ).toEqual({
    author: 'root',
    iid: 1,
    commit_titles: ['Write feature.txt'],
    commits_count: 1,
    versions_count: 1,
    target_branch: 'master',
  })
  expect(known('participants')).toContain('root')
  expect(known('first_contribution')).toBe(true)
  expect(Number(known('inactive_for'))).toBeLessThan(Number(known('age')) + 1)
})
