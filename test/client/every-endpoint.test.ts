// Our client drives every endpoint of the contract against the sandbox, and every answer is what the contract says.
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../src/api/index.ts'
import { beside } from './every-endpoint/compare-with-sandbox.ts'
import { groups } from './every-endpoint/groups.ts'
import { issueStories } from './every-endpoint/issues.ts'
import { mergeRequestStories } from './every-endpoint/merge-requests.ts'
import { projects } from './every-endpoint/projects.ts'
import { openStory } from './every-endpoint/story.ts'

const stories = [...groups, ...projects, ...issueStories, ...mergeRequestStories, ...beside]

describe('our client and the sandbox', () => {
  it.each(stories)('$name', async ({ tell, drives }) => {
    const story = await openStory()
    await tell(story)
    expect([...story.driven]).toEqual(expect.arrayContaining([...drives]))
  })

  it('leave no endpoint out', () => {
    const driven = new Set(stories.flatMap(({ drives }) => drives))
    expect([...driven].sort()).toEqual([...endpointsByName.keys()].sort())
  })
})

describe('a list of three pages', () => {
  it('is read to its end, by the addresses that the sandbox gives', async () => {
    const { client } = await openStory()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.groups.create({ name, path: name })
    const pages = client.pages('groups.list', { per_page: 2, sort: 'desc' }, { maxPages: 9 })
    const sizes: [number, boolean][] = []
    for await (const page of pages) sizes.push([page.body.length, page.complete])
    expect(sizes).toEqual([
      [2, false],
      [2, false],
      [1, true],
    ])
    const { items } = await pages.collect()
    expect(items.map((each) => Reflect.get(Object(each), 'name'))).toEqual(['e', 'd', 'c', 'b', 'a'])
  })
})
