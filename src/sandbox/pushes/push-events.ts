// Push events: who moved which branches and tags.
import type { Api } from '../../api/index.ts'
import { readableProject } from '../access/access.ts'
import { branchOf, noCommit } from '../git/refs.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import type { PushEvent } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import type { RefMove } from './check-push.ts'

/** A push that does more of one kind to branches or tags gets one event for them. */
const eventLimit = 3

const actionNames = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' } as const

function pushDataOf({ ref, before, after }: RefMove): PushEvent['push_data'] {
  const branch = branchOf(ref)
  return {
    action: before === noCommit ? 'created' : after === noCommit ? 'removed' : 'pushed',
    ref_type: branch === undefined ? 'tag' : 'branch',
    ref: branch ?? ref.slice('refs/tags/'.length),
    ref_count: null,
    commit_from: before === noCommit ? null : before,
    commit_to: after === noCommit ? null : after,
  }
}

const isSameKind = (one: PushEvent['push_data'], other: PushEvent['push_data']) =>
  one.ref_type === other.ref_type && one.action === other.action

/** Records the events of one push. */
export function addPushEvents(world: World, projectId: number, userId: number, moves: readonly RefMove[]): void {
  const moved = moves.map(pushDataOf)
  for (const [index, each] of moved.entries()) {
    const ref_count = moved.filter((other) => isSameKind(each, other)).length
    const isBulk = ref_count > eventLimit
    if (isBulk && moved.findIndex((other) => isSameKind(each, other)) < index) continue
    const push_data = isBulk ? { ...each, ref: null, ref_count, commit_from: null, commit_to: null } : each
    const about = { project_id: projectId, author_id: userId, created_at: now(world), push_data }
    world.pushEvents.add({ id: nextNumber(world, 'pushEvents'), ...about })
  }
}

export const pushEvents: Handlers<Api['projects']['events']> = {
  list: on(readableProject, ({ project, params, world }) => {
    const found = world.pushEvents
      .where('project', project.id)
      .filter((each) => params.before === undefined || each.created_at < params.before)
    return pageOf(params.sort === 'asc' ? found : found.toReversed(), params, (event) => ({
      ...event,
      action_name: actionNames[event.push_data.action],
      author: showUserById(world, event.author_id),
    }))
  }),
}
