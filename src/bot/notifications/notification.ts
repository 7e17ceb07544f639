// Notifications for operators: JSON of a stated version with a sentence for chat tools (docs/notifications.md).
import { createHash } from 'node:crypto'
import type { PauseReason } from '../../merge-queue/types.ts'
import { pauseDetails } from '../../merge-queue/words.ts'
import { fullRefName, refName, shownRef } from '../../rules/facts/definition/subject-ref.ts'

/** What a notification is about, with what is known of its name. */
interface Subject {
  project: number
  projectPath: string
  iid?: number
  title?: string
  url?: string
}

export type NotificationContent =
  /** A job failed for good. */
  | {
      kind: 'job_failed'
      about: { queue: string; job: string; reason: string; failedAt: string } & Partial<Subject>
    }
  | {
      kind: 'rule_file_broken'
      about: Subject & { path: string; blob: string | null; problems: string[] }
    }
  /** `since`: ISO 8601. */
  | { kind: 'service_paused'; about: { is: 'unreachable' | 'token_rejected'; since: string; reason: string } }
  | { kind: 'service_works_again'; about: { was: 'unreachable' | 'token_rejected'; since: string } }
  /** `expiresAt`: a date; the token is refused from its beginning (UTC) on. */
  | { kind: 'token_expires'; about: { expiresAt: string; daysLeft: number } }
  /** `until`: ISO 8601; null: until somebody tests the hook. */
  | { kind: 'hook_disabled'; about: Subject & { hook: number; until: string | null } }
  /** The merge queue of a branch lands nothing until somebody resumes it. */
  | {
      kind: 'merge_queue_paused'
      about: Subject & { target: string; reason: PauseReason; branch?: string; words?: string }
    }
  /** Somebody else set a status that a rule sets. */
  | { kind: 'status_forged'; about: Subject & { status: string; state: string; by: string } }
  /** It was merged into another branch than the one that was evaluated. */
  | { kind: 'merged_elsewhere'; about: Subject & { target: string; evaluated: string } }
  /** Somebody merged it, and no rule would have. `rule`: the nearest one. */
  | { kind: 'merged_past_rules'; about: Subject & { by: string; rule: string; conditions: string[] } }

/** How many more there were than were sent one by one. */
export type NotificationCounts = Partial<Record<NotificationContent['kind'], number>>
type AnyContent = NotificationContent | { kind: 'more'; about: { counts: NotificationCounts } }

/** As posted. Version 1 may gain fields; none changes its meaning. */
export type Notification = AnyContent & Head

/** A job of the queue of notifications. */
export type NotificationJob =
  | { is: 'notification'; notification: Notification & NotificationContent }
  | { is: 'summary' }

interface Head {
  version: 1
  /** Equal when the same thing is posted again. */
  id: string
  /** ISO 8601. */
  at: string
  /** Plain text: what happened and what to do. */
  text: string
}

const longestText = 500
const mostProblems = 10

/** Text from outside is cut and made harmless to chat tools. `key` identifies the thing within its kind. */
export function createNotification<S extends AnyContent>(
  content: S,
  { key, at }: { key: string; at: string },
): S & Head {
  const clean = inert(content) as S
  const id = `notification-${createHash('sha256')
    .update(JSON.stringify([content.kind, key]))
    .digest('hex')
    .slice(0, 40)}`
  const url = 'url' in content.about ? plainUrl(content.about.url) : undefined
  const text = `Bellhop: ${textOf(clean)}${url === undefined ? '' : ` · ${url}`}`
  const about: { iid?: number } & object = { ...clean.about, ...{ url } }
  return { version: 1, id, at, text, ...clean, about: shownRef(about) }
}

/** A branch name may hold what a shell would run. */
const shellWord = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

function textOf(content: AnyContent): string {
  switch (content.kind) {
    case 'job_failed': {
      const { queue, job, reason, project, projectPath: path, ...named } = content.about
      const of = project === undefined ? '' : ` of ${fullRefName({ project, path, ...named })}`
      return `a job${of} failed (${queue} ${job}): ${reason}. Once the cause is fixed: bellhop queue retry ${queue} ${job}`
    }
    case 'rule_file_broken': {
      const { path, problems } = content.about
      return `the rule file ${path} of ${nameOf(content.about)} is broken: ${problems[0]}. The last good version stays in force, but nothing is approved or accepted.`
    }
    case 'service_paused':
      return content.about.is === 'unreachable'
        ? `the service is unreachable since ${content.about.since}: ${content.about.reason}. Jobs wait and continue automatically.`
        : `the service rejects the token since ${content.about.since}: ${content.about.reason}. Jobs wait until Bellhop has a valid token.`
    case 'service_works_again':
      return `the service is available again (it ${content.about.was === 'unreachable' ? 'was unreachable' : 'rejected the token'} since ${content.about.since}).`
    case 'token_expires': {
      const { expiresAt, daysLeft } = content.about
      const left = daysLeft === 1 ? 'within a day' : `in ${daysLeft} days`
      return `the service token expires ${left} (${expiresAt}, UTC). Replace it: bellhop token rotate, or a new token from the service.`
    }
    case 'hook_disabled': {
      const { hook, until } = content.about
      const end = until === null ? 'until a test of the hook succeeds' : `until ${until}`
      return `hook ${hook} of ${nameOf(content.about)} is disabled: the service sends nothing ${end}. See bellhop hooks status.`
    }
    case 'merge_queue_paused': {
      const { projectPath, target } = content.about
      return `the merge queue of ${projectPath}, branch ${target}, is paused: ${pauseDetails(content.about)}. Once that is fixed: bellhop merge-queue resume ${projectPath} ${shellWord(target)}`
    }
    case 'status_forged': {
      const { status, state, by, project, projectPath: path, ...named } = content.about
      return `${by} set the status ${status} of ${fullRefName({ project, path: path || undefined, ...named })} to ${state}, which only a rule may set. Bellhop replaced it, as it does from now on: see the audit log.`
    }
    case 'merged_elsewhere': {
      const { target, evaluated, project, projectPath: path, ...named } = content.about
      return `${fullRefName({ project, path: path || undefined, ...named })} was merged into ${target}, but its rules were evaluated for ${evaluated}: its target branch was changed in that moment. Check ${target}, and revert the merge where it must not be there.`
    }
    case 'merged_past_rules': {
      const { by, rule, conditions, project, projectPath: path, ...named } = content.about
      const name = fullRefName({ project, path: path || undefined, ...named })
      return `${by || 'somebody'} merged ${name} past the rules. The nearest rule, ${rule}, lacked: ${conditions.join('; ')}.`
    }
    case 'more': {
      const counts = Object.entries(content.about.counts).map(
        ([kind, count]) => `${count} × ${kind.replaceAll('_', ' ')}`,
      )
      return `too many to be sent one by one: ${counts.join(', ')}. See the log and bellhop queue status.`
    }
    default:
      return content satisfies never
  }
}

const nameOf = ({ project, projectPath }: Subject) => refName({ project, path: projectPath || undefined })

/** Undefined for one with characters that chat tools may take for something else. */
export const plainUrl = (url = '') => (/^https?:\/\/[\w.:/%~-]+$/.test(url) ? url : undefined)

/** Every text on one line, cut, and without what chat tools take for links, mentions and markup. */
function inert(value: unknown): unknown {
  if (typeof value === 'string') return inertText(value)
  if (Array.isArray(value)) return value.slice(0, mostProblems).map(inert)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inert(each)]))
}

const replacements: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '@': '＠',
  '`': '’',
  '[': '(',
  ']': ')',
  '*': '∗',
  '&': '＆',
}

/** One line that no chat tool takes for a link, a mention or markup. */
export function inertText(text: string, longest = longestText): string {
  const plain = text
    .slice(0, longest)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+|\p{Cs}/gu, ' ')
  // Character references would be the characters again.
  return plain.replaceAll(/[<>@`[\]*]|&(?=[#\w])/g, (each) => replacements[each] ?? '').replaceAll('://', ': //')
}
