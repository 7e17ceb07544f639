// The records that go with a project: all that name it, directly or through something of it.
import { removeRecords } from '../../../src/sandbox/projects/remove.ts'
import { allCollections, type State } from '../../../src/sandbox/storage/world.ts'
import { family } from '../groups/family.ts'

/** What belongs to no project. */
const others = ['users', 'groups', 'groupHooks', 'systemHooks', 'ldapLinks']

/** One record in every collection that a project has something in; `id` is that of the project and of each of them. */
function fill(state: State, id: number): void {
  const [project_id, merge_request_id] = [id, id]
  const ofNoteables = [
    { noteable_type: 'MergeRequest', noteable_id: id },
    { id: id + 200, noteable_type: 'Issue', noteable_id: id },
  ]
  const records: Record<string, object[]> = {
    members: [{ source: 'project', source_id: id, user_id: 1 }],
    releases: [{ project_id }],
    deployments: [{ project_id }],
    pushEvents: [{ project_id }],
    tokens: [{ project_id, user_id: 1 }],
    stars: [{ project_id, user_id: 1 }],
    shareLinks: [{ project_id, group_id: 1 }],
    pushRules: [{ project_id }],
    protectedBranches: [{ project_id, name: 'master' }],
    hooks: [{ project_id }],
    labels: [{ project_id }],
    milestones: [{ project_id }],
    issues: [{ project_id, iid: 1 }],
    mergeRequests: [{ project_id, iid: 1, source_project_id: id }],
    diffVersions: [{ merge_request_id }],
    notes: ofNoteables,
    awards: ofNoteables,
    labelEvents: ofNoteables,
    todos: ofNoteables,
    blocks: [{ merge_request_id, blocking_id: id }],
    wikiPages: [{ project_id }],
    pipelines: [{ project_id, sha: 'a' }],
    statuses: [{ project_id, pipeline_id: id }],
    pipelineScripts: [{ project_id, branches: '*' }],
  }
  for (const [name, collection] of allCollections(state)) {
    for (const record of records[name] ?? []) collection.add({ id, ...record })
  }
}
const sizes = (state: State) =>
  Object.fromEntries(
    allCollections(state).flatMap(([name, { all }]) => (others.includes(name) ? [] : [[name, all().length]])),
  )

test('every collection loses the records of the project and keeps those of another', () => {
  const { state, groups, project } = family()
  const [gone, kept] = [project(groups.outer), project(groups.outer)]
  fill(state, kept.id)
  const wanted = { ...sizes(state), projects: 1 }
  expect(Object.values(wanted)).not.toContain(0)
  fill(state, gone.id)
  removeRecords(state, gone.id)
  expect(sizes(state)).toEqual(wanted)
  expect(state.projects.all()).toEqual([kept])
})
