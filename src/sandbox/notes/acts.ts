// Quick actions that do more than set fields; approving and merging are of merge requests alone.
import { approvals } from '../endpoints/merge-request-approvals.ts'
import { formatDuration, parseDuration, parseTimeSpent } from '../merge-requests/duration.ts'
import { headPipeline } from '../merge-requests/status.ts'
import { accept } from '../merging/accept.ts'
import type { User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { addTodo, subscribe, unsubscribe } from './attention.ts'
import { emojiName, findAward, giveAward, takeAward } from './award.ts'
import { mayTriageNoteable, type Noteable } from './noteable.ts'
import { setEstimate, setTimeSpent } from './track-time.ts'

interface ActCall {
  world: World
  /** As earlier actions left it. */
  noteable: Noteable
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
  subscribe: async ({ world, noteable, user }) =>
    subscribe(world, noteable, user)
      ? { changes: { subscription_event: 'subscribe' }, message: `Subscribed to this ${called(noteable)}.` }
      : undefined,
  unsubscribe: async ({ world, noteable, user }) =>
    unsubscribe(world, noteable, user)
      ? { changes: { subscription_event: 'unsubscribe' }, message: `Unsubscribed from this ${called(noteable)}.` }
      : undefined,
  todo: async ({ world, noteable, user }) =>
    addTodo(world, noteable, user) === undefined
      ? undefined
      : { changes: { todo_event: 'add' }, message: 'Added a to-do item.' },
  award,
  approve: byEndpoint(approvals.approve, 'Approved the current merge request.'),
  unapprove: byEndpoint(approvals.unapprove, 'Unapproved the current merge request.'),
  merge,
}

function called({ type }: Noteable) {
  return type === 'Issue' ? 'issue' : 'merge request'
}

function mayTrackTime({ world, noteable, user }: ActCall) {
  return mayTriageNoteable(world, user, noteable)
}

function durationText({ argument }: ActCall) {
  return argument.length > 100 ? '' : argument
}

async function estimate(call: ActCall): ReturnType<Act> {
  const time_estimate = parseDuration(durationText(call))
  if (time_estimate === undefined || !mayTrackTime(call)) return undefined
  await setEstimate(call.world, call.noteable, call.user, time_estimate)
  return { changes: { time_estimate }, message: `Set time estimate to ${formatDuration(time_estimate) ?? '0h'}.` }
}

async function removeEstimate(call: ActCall): ReturnType<Act> {
  if (!mayTrackTime(call)) return undefined
  await setEstimate(call.world, call.noteable, call.user, 0)
  return { changes: { time_estimate: 0 }, message: 'Removed time estimate.' }
}

/** `1h30m`, `-30m`, `2h 2026-11-21`. */
async function spend(call: ActCall): ReturnType<Act> {
  const duration = parseTimeSpent(durationText(call).replace(/ \d{4}-\d{2}-\d{2}$/, ''))
  if (duration === undefined || duration === 0 || !mayTrackTime(call)) return undefined
  await setTimeSpent(call.world, call.noteable, call.user, (call.noteable.record.total_time_spent ?? 0) + duration)
  const done = `${duration > 0 ? 'Added' : 'Subtracted'} ${formatDuration(Math.abs(duration))} spent time.`
  return {
    changes: { spend_time: { duration, user_id: call.user.id, spent_at: now(call.world).slice(0, 10) } },
    message: done,
  }
}

async function removeSpent(call: ActCall): ReturnType<Act> {
  if (!mayTrackTime(call)) return undefined
  await setTimeSpent(call.world, call.noteable, call.user, 0)
  return { changes: { spend_time: { duration: 'reset', user_id: call.user.id } }, message: 'Removed spent time.' }
}

function byEndpoint(
  handler: (call: { params: { id: number; merge_request_iid: number }; caller: User; world: World }) => unknown,
  message: string,
): Act {
  return async ({ world, noteable: { type, record }, user }) => {
    if (type === 'Issue') return undefined
    const params = { id: record.project_id, merge_request_iid: record.iid }
    return (await handler({ params, caller: user, world })) === null ? undefined : { changes: {}, message }
  }
}

/** A second time takes it back. */
async function award({ world, noteable, user, argument }: ActCall): ReturnType<Act> {
  const name = emojiName(argument)
  if (name === undefined) return undefined
  const present = findAward(world, noteable, user, name)
  if (present === undefined) await giveAward(world, noteable, user, name)
  else await takeAward(world, noteable, present, user)
  return { changes: { emoji_award: name }, message: `Toggled :${name}: emoji award.` }
}

/** Waits for a running pipeline. */
async function merge({ world, noteable: { type, project, record: mr }, user }: ActCall): ReturnType<Act> {
  if (type === 'Issue') return undefined
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
