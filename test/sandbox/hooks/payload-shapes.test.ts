// Our payloads have every field of real ones, with the same type.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Json, openWorld } from '../sandbox-world.ts'
import { differences, shapeOf } from './payload-shape.ts'

const folder = new URL('../../../../shared/payloads/', import.meta.url)
const real: Json[] = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json') && !name.includes('/system-'))
      .sort()
      .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  : []

/** What ours lack or have as null, and why; `*` is any part of a path. */
type Excuses = Record<string, string>
const noPicture: Excuses = { '*avatar_url': 'users have no picture here' }

/** Which real payloads are compared, and how many there are at least. */
const kinds: Record<string, { today: (payload: Json) => boolean; atLeast: number; excuses: Excuses }> = {
  merge_request: {
    today: ({ object_attributes }) => object_attributes.detailed_merge_status !== undefined,
    atLeast: 15,
    excuses: noPicture,
  },
  push: {
    today: ({ user_username, event_name }) => user_username !== undefined && event_name !== undefined,
    atLeast: 5,
    excuses: { user_avatar: 'users have no picture here' },
  },
  tag_push: {
    today: ({ user_username, event_name }) => user_username !== undefined && event_name !== undefined,
    atLeast: 3,
    excuses: { user_avatar: 'users have no picture here' },
  },
  'note on MergeRequest': { today: ({ event_type }) => event_type !== undefined, atLeast: 2, excuses: noPicture },
  'note on Issue': {
    today: ({ event_type }) => event_type !== undefined,
    atLeast: 1,
    excuses: {
      ...noPicture,
      'issue.branch_name': 'gone since 2018; the one example is older there',
      'issue.position': 'gone since 2018; the one example is older there',
      'issue.human_*': 'null at zero; the one example has time',
      'object_attributes.commit_id': 'an empty text in the one example, null in installations',
    },
  },
  issue: {
    today: ({ event_type }) => event_type !== undefined,
    atLeast: 1,
    excuses: {
      ...noPicture,
      assignee: 'only when somebody is assigned',
      'object_attributes.assignee_id': 'null when nobody is assigned',
      '*labels[].group_id': 'labels are of projects here',
      'object_attributes.updated_by_id': 'not remembered',
      'object_attributes.weight': 'of the paid tiers',
      'object_attributes.escalation_*': 'of incidents in the paid tiers',
    },
  },
  pipeline: {
    today: ({ object_attributes }) => object_attributes.source !== undefined,
    atLeast: 3,
    excuses: {
      ...noPicture,
      merge_request: 'only of pipelines for merge requests; this one is of a branch',
      source_pipeline: 'only of child pipelines',
      'object_attributes.duration': 'null while it runs',
      'object_attributes.finished_at': 'null while it runs',
    },
  },
  build: {
    today: ({ retries_count }) => retries_count !== undefined,
    atLeast: 1,
    excuses: {
      ...noPicture,
      build_duration: 'null while it runs',
      build_finished_at: 'null while it runs',
      build_failure_reason: 'null unless it failed',
      'commit.duration': 'null while the pipeline runs',
      'commit.finished_at': 'null while the pipeline runs',
      'commit.name': 'pipelines have no name here',
      environment: 'jobs deploy nothing here',
      runner: 'what outside systems report has no runner',
    },
  },
  release: { today: ({ description }) => description !== undefined, atLeast: 1, excuses: {} },
  deployment: {
    today: () => true,
    atLeast: 1,
    excuses: {
      ...noPicture,
      deployable_id: 'an outside system deploys, without a job',
      deployable_url: 'an outside system deploys, without a job',
      environment_external_url: 'environments have no address here',
    },
  },
  milestone: {
    today: () => true,
    atLeast: 1,
    excuses: { 'object_attributes.start_date': 'milestones have no start here' },
  },
  wiki_page: { today: () => true, atLeast: 1, excuses: noPicture },
  access_token: { today: ({ project }) => project !== undefined, atLeast: 1, excuses: {} },
  emoji: {
    today: () => true,
    atLeast: 1,
    excuses: {
      ...noPicture,
      'note*': 'emojis are of merge requests here; the one example is of a note',
      'issue*': 'emojis are of merge requests here; the one example is of a note on an issue',
    },
  },
}

/** Which fields `changes` has depends on the event, so only what each of them is made of is compared. */
function withoutChanges({ changes, ...payload }: Json): Json {
  return changes === undefined ? payload : { ...payload, changes: {} }
}

function excusedBy(excuses: Excuses, difference: string): string | undefined {
  const path = difference.split(' ')[0] ?? ''
  return Object.keys(excuses).find((pattern) => {
    const parts = pattern.split('*').map((part) => part.replace(/[.[\]]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(path)
  })
}

function kindOf({ object_kind, object_attributes }: Json): string {
  return object_kind === 'note' ? `note on ${object_attributes.noteable_type}` : object_kind
}

/** Everything that raises a hook, with full and with empty fields. */
async function raiseAll(): Promise<Json[]> {
  const world = await openWorld()
  const mr = '/projects/1/merge_requests/1'
  const project = { description: 'An app', ci_config_path: 'ci.yml' }
  const { sha } = await world.mergeRequest({ project })
  const flags = [
    ...['push', 'tag_push', 'merge_requests', 'issues', 'note', 'job', 'pipeline', 'wiki', 'emoji'],
    ...['releases', 'deployment', 'milestone', 'resource_access_token'],
  ].map((kind) => [`${kind}_events`, true])
  const hooks = await world.receiver(Object.fromEntries(flags))
  await world.post('/projects/1/milestones', { title: 'One', due_date: '2099-12-31' })
  await world.post('/projects/1/releases', { tag_name: 'v0', ref: 'master', description: 'First' })
  const deployed = { environment: 'staging', ref: 'master', sha, tag: false, status: 'running' }
  await world.post('/projects/1/deployments', deployed)
  await world.post('/projects/1/labels', { name: 'bug', color: 'red', description: 'Wrong' })
  await world.post(`${mr}/notes`, { body: 'Bare' })
  await world.put(mr, { labels: 'bug', assignee_id: 1, milestone_id: 1, title: 'Draft: T', description: 'D' })
  await world.post(`${mr}/time_estimate`, { duration: '1h' })
  await world.post(`${mr}/add_spent_time`, { duration: '1h' })
  const full = await world.post(`${mr}/notes`, { body: 'Full' })
  await world.put(`${mr}/notes/${full.id}`, { body: 'Changed' })
  await world.put(mr, { title: 'T', state_event: 'close' })
  await world.put(mr, { state_event: 'reopen' })
  await world.post(`${mr}/award_emoji`, { name: 'tada' })
  await world.post(`${mr}/approve`)
  await world.post(`${mr}/unapprove`)
  for (const state of ['running', 'failed', 'success'])
    await world.post(`/projects/1/statuses/${sha}`, { state, ref: 'feature' })
  await world.write('feature', 'more.txt', 'more')
  await world.get(mr)
  await world.put(`${mr}/merge`)
  await world.write('second', 'second.txt', 'x')
  await world.open('second', 'Second')
  await world.post('/projects/1/issues', { title: 'Bare' })
  await world.post('/projects/1/issues', {
    title: 'Full',
    labels: 'bug',
    assignee_id: 1,
    milestone_id: 1,
    description: 'D',
  })
  await world.post('/projects/1/issues/2/notes', { body: 'On it' })
  await world.put('/projects/1/issues/2', { state_event: 'close', title: 'Closed' })
  await world.post('/projects/1/wikis', { title: 'home', content: 'Hello' })
  await world.delete('/projects/1/wikis/home')
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10)
  await world.post('/projects/1/access_tokens', { name: 'ci', scopes: ['api'], expires_at: tomorrow })
  const where = await world.clone('root/app')
  await world.git(where, 'tag', 'light')
  await world.git(where, 'tag', '--annotate', '--message', 'First', 'v1')
  await world.git(where, 'push', '--quiet', 'origin', 'light', 'v1', 'origin/second:refs/heads/third')
  await world.git(where, 'push', '--quiet', 'origin', ':v1', ':third')
  return hooks.payloads()
}

test.skipIf(real.length === 0)('each kind has all that every real one has (needs shared/payloads)', async () => {
  const ours = await raiseAll()
  const left = Object.entries(kinds).map(([kind, { today, atLeast, excuses }]) => {
    const wanted = real.filter((payload) => kindOf(payload) === kind && today(payload)).map(withoutChanges)
    const got = ours.filter((payload) => kindOf(payload) === kind).map(withoutChanges)
    expect(wanted.length, kind).toBeGreaterThanOrEqual(atLeast)
    expect(got.length, kind).toBeGreaterThan(0)
    const found = differences(shapeOf(wanted), shapeOf(got))
    const used = new Set(found.map((difference) => excusedBy(excuses, difference)))
    return {
      kind,
      found: found.filter((difference) => excusedBy(excuses, difference) === undefined),
      idleExcuses: Object.keys(excuses).filter((pattern) => !used.has(pattern)),
    }
  })
  expect(left).toEqual(Object.keys(kinds).map((kind) => ({ kind, found: [], idleExcuses: [] })))
  const changes = ours.flatMap((payload) => Object.values(payload.changes ?? {})) as object[]
  expect(changes.length).toBeGreaterThan(0)
  expect(changes.filter((each) => Object.keys(each).sort().join() !== 'current,previous')).toEqual([])
})
