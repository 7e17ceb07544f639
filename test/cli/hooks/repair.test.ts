// The running bot adds the events that changed rules need to the hook of their project.
import { ownHooks } from '../../../src/cli/hooks/own-hooks.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { file, rule, rules } from '../../rules/world.ts'
import { BASE, KEY, useCompany } from './hooks-world.ts'

const company = useCompany()

test('a hook from before the rules gets the events that they need, once, and keeps the others', async () => {
  const client = createClient({ baseUrl: company.sandbox.url, token: company.tokens.bellhop ?? '' })
  const place = { base: BASE, masterKeys: [KEY], tokens: [], signing: [], signs: false, verifiesTls: true }
  const { needed, repair } = ownHooks({ client, place, includeFrom: [] })
  const policy = { mode: 'act' as const, includeFrom: [], newRuleLimit: 0 }
  const merging = { files: [file(rules(rule('{ author: alice }', '{ accept: true }')))], problems: [], policy }
  await company.run(['install', 'hotel/plain'])
  const id = await company.projectId('hotel/plain')
  const [before] = await company.hooksOf('hotel/plain')
  await company.root.projects.hooks.update({ id, hook_id: before?.id ?? 0, url: before?.url ?? '', wiki_events: true })

  expect(needed(merging, 'hotel/plain')).toContain('pipeline_events')
  expect(await repair({ id, path: 'hotel/plain' }, merging)).toEqual(['pipeline_events'])
  expect(await company.hooksOf('hotel/plain')).toEqual([{ ...before, pipeline_events: true, wiki_page_events: true }])
  expect(await repair({ id, path: 'hotel/plain' }, merging)).toEqual([])
  expect(await company.run(['status', 'hotel/plain'], { BELLHOP_RULES: '' })).toMatchObject({ code: 0 })
  expect(await repair({ id: await company.projectId('inn/one'), path: 'inn/one' }, merging)).toEqual([])
  const shut = { id: await company.projectId('shut/door'), path: 'shut/door' }
  await expect(repair(shut, merging)).rejects.toThrow('403')
})
