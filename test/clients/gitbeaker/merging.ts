// What merges depend on, by @gitbeaker/rest: threads, pipelines, trains, protected branches, and milestones of groups.
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { openMergeRequest } from './merge-requests.ts'
import { refusalOf, type Story } from './story.ts'

export const merging: Story[] = [
  {
    name: 'a thread is opened and shown, and the changes are read in pages',
    async tell(story) {
      const { client } = story
      const { id, iid } = await openMergeRequest(story)
      expect(await client.MergeRequests.allDiffs(id, iid)).toMatchObject([{ new_path: 'b.txt', new_file: true }])
      const thread = await client.MergeRequestDiscussions.create(id, iid, 'Why b?')
      expect(thread.notes).toMatchObject([{ body: 'Why b?', resolvable: true, resolved: false }])
      expect(await client.MergeRequestDiscussions.show(id, iid, thread.id)).toEqual(thread)
      expect(await client.MergeRequestDiscussions.all(id, iid)).toEqual([thread])
    },
  },
  {
    name: 'pipelines run by request, are canceled and run again',
    async tell(story) {
      const { client, world } = story
      const { id, iid } = await openMergeRequest(story)
      const script = { branches: '*', kind: 'merge_request', takes: 60_000, ends: ['success'] } as const
      await world.sandbox.within(async (inside) => scriptPipelines(inside, id, [script]))
      expect(await client.MergeRequests.createPipeline(id, iid)).toMatchObject({ source: 'merge_request_event' })
      const made = await client.Pipelines.create(id, 'feature')
      expect(await client.Pipelines.cancel(id, made.id)).toMatchObject({ id: made.id, status: 'canceled' })
      expect(await client.Pipelines.retry(id, made.id)).toMatchObject({ id: made.id, ref: 'feature' })
    },
  },
  {
    name: 'a merge request merges by the train of its project',
    async tell(story) {
      const { client, world } = story
      const { id, iid, sha } = await openMergeRequest(story)
      const trains = { merge_pipelines_enabled: true, merge_trains_enabled: true }
      await world.call('PUT', `/projects/${id}`, { name: 'app', ...trains })
      expect((await refusalOf(client.MergeTrains.showStatus(id, iid)))[0]).toBe(404)
      await client.MergeTrains.addMergeRequest(id, iid, { sha })
      await world.sandbox.idle()
      expect(await client.MergeTrains.showStatus(id, iid)).toMatchObject({ status: 'merged', target_branch: 'master' })
      expect(await client.MergeRequests.show(id, iid)).toMatchObject({ state: 'merged' })
    },
  },
  {
    name: 'branches are protected and no longer',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      await client.ProtectedBranches.protect(id, 'release/*', { pushAccessLevel: 0, mergeAccessLevel: 40 })
      const shown = { name: 'release/*', push_access_levels: [{ access_level: 0 }] }
      expect(await client.ProtectedBranches.all(id)).toMatchObject([shown])
      await client.ProtectedBranches.unprotect(id, 'release/*')
      const allowedToPush = [{ accessLevel: 30 as const }]
      const listed = { push_access_levels: [{ access_level: 30 }], merge_access_levels: [{ access_level: 40 }] }
      expect(await client.ProtectedBranches.protect(id, 'main', { allowedToPush })).toMatchObject(listed)
      await client.ProtectedBranches.unprotect(id, 'main')
      expect(await client.ProtectedBranches.all(id)).toEqual([])
    },
  },
  {
    name: 'a group has milestones for all its projects',
    async tell({ client }) {
      const { id } = await client.Groups.create('Guests', 'guests')
      const { id: milestone } = await client.GroupMilestones.create(id, '17.0')
      expect(await client.GroupMilestones.all(id)).toMatchObject([{ id: milestone, title: '17.0', group_id: id }])
    },
  },
]
