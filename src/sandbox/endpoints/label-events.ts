// The history of labels of merge requests, in the shape of real installations.
import type { Api } from '../../api/index.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import type { LabelEvent } from '../records.ts'
import { showUserSummary } from '../show.ts'
import { userById, type World } from '../world.ts'
import { showLabel } from './labels.ts'

export const labelEvents: Handlers<Api['mergeRequests']['labelEvents']> = {
  list({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    return pageOf(world.labelEvents.where('mergeRequest', mr.id), params, (event) => showLabelEvent(world, event))
  },
}

function showLabelEvent(world: World, { id, user_id, label_id, merge_request_id, action, created_at }: LabelEvent) {
  const label = world.labels.get(label_id)
  return {
    ...{ id, user: showUserSummary(world, userById(world, user_id)), created_at },
    ...{ resource_type: 'MergeRequest', resource_id: merge_request_id },
    ...{ label: label === undefined ? null : showLabel(label), action },
  }
}
