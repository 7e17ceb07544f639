// Quick actions of merge requests that do more than set fields.
import { developer, projectLevel } from '../access/access.ts'
import { approvals } from '../endpoints/merge-request-approvals.ts'
import { attention } from '../endpoints/merge-request-attention.ts'
import { formatDuration, parseDuration, parseTimeSpent } from '../merge-requests/duration.ts'
import { headPipeline } from '../merge-requests/status.ts'
import { setEstimate, setTimeSpent } from '../merge-requests/track-time.ts'
import { accept } from '../merging/accept.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { emojiName, findAward, giveAward, takeAward } from './award.ts'

interface ActCall {
  world: World
  project: Project
  /** As earlier actions left it. */
  mr: MergeRequest
  user: User
  argument: string
}
/** Undefined when it does not apply. */
type Act = (call: ActCall) => Promise<{ changes: Record<string, unknown>; message: string } | undefined>

export const acts: Record<string, Act> = {
  estimate,
  remove_estimate: removeEstimate,
  spend,
  remove_spent: removeSpent,
  subscribe: byEndpoint(attention.subscribe, { subscription_event: 'subscribe' }, 'Subscribed to this merge request.'),
  unsubscribe: byEndpoint(
    attention.unsubscribe,
    { subscription_event: 'unsubscribe' },
    'Unsubscribed from this merge request.',
  ),
  todo: byEndpoint(attention.todo, { todo_event: 'add' }, 'Added a to-do item.'),
  award,
  approve: byEndpoint(approvals.approve, {}, 'Approved the current merge request.'),
  unapprove: byEndpoint(approvals.unapprove, {}, 'Unapproved the current merge request.'),
  merge,
}

function mayTrackTime({ world, project, user }: ActCall) {
  return projectLevel(world, user, project) >= developer
}

function durationText({ argument }: ActCall) {
  return argument.length > 100 ? '' : argument
}

async function estimate(call: ActCall): ReturnType<Act> {
  const time_estimate = parseDuration(durationText(call))
  if (time_estimate === undefined || !mayTrackTime(call)) return undefined
  await setEstimate(call.world, call.mr, call.user, time_estimate)
  return { changes: { time_estimate }, message: `Set time estimate to ${formatDuration(time_estimate) ?? '0h'}.` }
}

async function removeEstimate(call: ActCall): ReturnType<Act> {
  if (!mayTrackTime(call)) return undefined
  await setEstimate(call.world, call.mr, call.user, 0)
  return { changes: { time_estimate: 0 }, message: 'Removed time estimate.' }
}

/** `1h30m`, `-30m`, `2h 2026-11-21`. */
async function spend(call: ActCall): ReturnType<Act> {
  const duration = parseTimeSpent(durationText(call).replace(/ \d{4}-\d{2}-\d{2}$/, ''))
  if (duration === undefined || duration === 0 || !mayTrackTime(call)) return undefined
  await setTimeSpent(call.world, call.mr, call.user, call.mr.total_time_spent + duration)
  const done = `${duration > 0 ? 'Added' : 'Subtracted'} ${formatDuration(Math.abs(duration))} spent time.`
  return {
    changes: { spend_time: { duration, user_id: call.user.id, spent_at: now(call.world).slice(0, 10) } },
    message: done,
  }
}

async function removeSpent(call: ActCall): ReturnType<Act> {
  if (!mayTrackTime(call)) return undefined
  await setTimeSpent(call.world, call.mr, call.user, 0)
  return { changes: { spend_time: { duration: 'reset', user_id: call.user.id } }, message: 'Removed spent time.' }
}

function byEndpoint(
  handler: (call: { params: { id: number; merge_request_iid: number }; caller: User; world: World }) => unknown,
  changes: Record<string, unknown>,
  message: string,
): Act {
  return async ({ world, mr, user }) => {
    const params = { id: mr.project_id, merge_request_iid: mr.iid }
    return (await handler({ params, caller: user, world })) === null ? undefined : { changes, message }
  }
}

/** A second time takes it back. */
async function award({ world, mr, user, argument }: ActCall): ReturnType<Act> {
  const name = emojiName(argument)
  if (name === undefined) return undefined
  const present = findAward(world, mr, user, name)
  if (present === undefined) await giveAward(world, mr, user, name)
  else await takeAward(world, mr, present, user)
  return { changes: { emoji_award: name }, message: `Toggled :${name}: emoji award.` }
}

/** Waits for a running pipeline. */
async function merge({ world, project, mr, user }: ActCall): ReturnType<Act> {
  const status = headPipeline(world, mr)?.status
  const merged = await accept(world, project, mr, user, {
    sha: mr.sha,
    wait: status === 'pending' || status === 'running',
  })
  const message =
    merged.state === 'merged'
      ? 'Merged this merge request.'
      : 'Scheduled to merge this merge request when its pipeline succeeds.'
  return { changes: { merge: mr.sha }, message }
}
