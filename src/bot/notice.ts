// Notices: what an operator is told of, as JSON of a stated version with a sentence that a chat tool can show (docs/operating.md).
import { createHash } from 'node:crypto'

/** What happened, by kind. */
export type Told =
  /** A job was given up, or tried too often: it is among the failed. */
  | { kind: 'job_failed'; about: { lane: string; job: string; reason: string; failedAt: string; project?: number; iid?: number } }
  | { kind: 'rule_file_broken'; about: { project: number; projectPath: string; path: string; blob: string | null; problems: string[] } }
  /** `since`: ISO 8601. */
  | { kind: 'service_paused'; about: { is: 'away' | 'token rejected'; since: string; reason: string } }
  | { kind: 'service_works_again'; about: { was: 'away' | 'token rejected'; since: string } }
  /** `until`: ISO 8601; null: until somebody tests the hook. */
  | { kind: 'hook_disabled'; about: { project: number; projectPath: string; hook: number; until: string | null } }

/** How many more there were of each kind than were told one by one. */
export type Counts = Partial<Record<Told['kind'], number>>
type Said = Told | { kind: 'more'; about: { counts: Counts } }

/** As it is posted. A field may be added within version 1, none changes its meaning. */
export type Notice = Said & Head

interface Head {
  version: 1
  /** The same for the same thing, also when it is posted again. */
  id: string
  /** ISO 8601. */
  at: string
  /** The hosting service's name. */
  service: string
  /** What happened and what to do, in plain text. */
  text: string
}

const longestText = 500
const mostProblems = 10

/** The notice of what happened; whatever came from outside is cut, and means nothing to a chat tool. `key` names the thing within its kind. */
export function noticeOf<S extends Said>(told: S, { key, service, at }: { key: string; service: string; at: string }): S & Head {
  const clean = inert(told) as S
  const id = `told-${createHash('sha256')
    .update(JSON.stringify([service, told.kind, key]))
    .digest('hex')
    .slice(0, 40)}`
  return { version: 1, id, at, service, text: `Bellhop (${service}): ${textOf(clean)}`, ...clean }
}

function textOf(told: Said): string {
  switch (told.kind) {
    case 'job_failed': {
      const { lane, job, reason, project, iid } = told.about
      const of = project === undefined || iid === undefined ? '' : iid === 0 ? ` of project ${project}` : ` of ${project}!${iid}`
      return `a job${of} failed (${lane} ${job}): ${reason}. When the cause is mended: bellhop queue retry ${lane} ${job}`
    }
    case 'rule_file_broken': {
      const { projectPath, project, path, problems } = told.about
      return `the rule file ${path} of ${projectPath || `project ${project}`} is broken: ${problems[0]}. The last good version stays in force, but nothing is approved or accepted.`
    }
    case 'service_paused':
      return told.about.is === 'away'
        ? `the service is away since ${told.about.since}: ${told.about.reason}. Work waits, and goes on by itself.`
        : `the service rejects the token since ${told.about.since}: ${told.about.reason}. Work waits until Bellhop has a good token.`
    case 'service_works_again':
      return `the service can be worked with again (it ${told.about.was === 'away' ? 'was away' : 'rejected the token'} since ${told.about.since}).`
    case 'hook_disabled': {
      const { projectPath, project, hook, until } = told.about
      const end = until === null ? 'until a test of the hook succeeds' : `until ${until}`
      return `hook ${hook} of ${projectPath || `project ${project}`} is disabled: the service sends nothing ${end}. bellhop hooks status tells more.`
    }
    case 'more': {
      const counts = Object.entries(told.about.counts).map(([kind, count]) => `${count} × ${kind.replaceAll('_', ' ')}`)
      return `more has happened than is told one by one: ${counts.join(', ')}. The log and bellhop queue status tell which.`
    }
    default:
      return told satisfies never
  }
}

/** Every text in it: on one line, cut, and with what chat tools take for links, mentions and markup written otherwise. */
function inert(value: unknown): unknown {
  if (typeof value === 'string') return inertText(value)
  if (Array.isArray(value)) return value.slice(0, mostProblems).map(inert)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inert(each)]))
}

const otherwise: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '@': '＠', '`': '’', '[': '(', ']': ')', '*': '∗' }

function inertText(text: string): string {
  const plain = text
    .slice(0, longestText)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+|\p{Cs}/gu, ' ')
  return plain.replaceAll(/[<>@`[\]*]/g, (each) => otherwise[each] ?? '').replaceAll('://', ': //')
}
