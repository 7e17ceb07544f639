// The calls of actions: for a merge request or an issue, to a chat, and all updates of one decision combined.
import type { CallData, EndpointName } from '../../../api/call-data.ts'
import { items } from '../../facts/definition/service-values.ts'
import { isIssue, numberOf } from '../../facts/definition/subject-ref.ts'
import { fingerprint } from '../../language/values/fingerprint.ts'
import { isMap } from '../../language/values/shapes.ts'
import { cut } from '../../language/values/wording.ts'
import type { Call, MergeRequestRef, OwnCall, Subject } from '../../types.ts'

/** Whether the call does something for this action. */
export function isCallOf(call: Call, action: string): boolean {
  return call.action === action || call.with?.includes(action) === true
}

/** Joins lists, so that the values of both rules are sent; other parameters do not conflict. */
function joinParams(left: Record<string, unknown>, right: Record<string, unknown>): Record<string, unknown> {
  const lists = Object.entries(right).flatMap(([key, value]): [string, unknown][] => {
    const before = left[key]
    return Array.isArray(before) && Array.isArray(value)
      ? [[key, [...new Set([...(before as unknown[]), ...(value as unknown[])])]]]
      : []
  })
  return { ...left, ...right, ...Object.fromEntries(lists) }
}

/** A list that one call sends must not put back entries that another call takes off. */
function withoutTakenOff(params: Record<string, unknown>, updates: readonly Call[]): Record<string, unknown> {
  const taken = updates.flatMap(({ takesOff = {} }) => Object.entries(takesOff))
  if (taken.length === 0) return params
  const without = (key: string, value: unknown) => {
    const off = taken.flatMap(([name, entries]) => (name === key ? entries : []))
    return Array.isArray(value) ? (value as unknown[]).filter((each) => !off.some((one) => one === each)) : value
  }
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, without(key, value)]))
}

const subjectNumber = ({ params }: Call) => params.merge_request_iid ?? params.issue_iid

/** Combines the updates of each subject at the place of the first; other calls keep their order. */
export function combineUpdates(calls: readonly Call[]): Call[] {
  const numbers = new Set(calls.filter((call) => isCallOn(call, 'update')).map(subjectNumber))
  return [...numbers].reduce<Call[]>(combineUpdatesOf, [...calls])
}

function combineUpdatesOf(calls: readonly Call[], number: unknown): Call[] {
  const updates = calls.filter((call) => isCallOn(call, 'update') && subjectNumber(call) === number)
  const [first, ...others] = updates
  if (first === undefined || others.length === 0) return [...calls]
  const names = [...new Set(others.map((call) => call.action))].filter((name) => name !== first.action)
  const memos = Object.assign({}, ...updates.map((call) => call.memo ?? {}))
  const before = Object.assign({}, ...updates.map((call) => call.before ?? {}))
  const effects = updates.flatMap((call) => call.effects ?? [])
  const joined: Call = {
    ...first,
    takesOff: undefined,
    params: withoutTakenOff(updates.map((call) => call.params).reduce(joinParams), updates),
    rules: [...new Set(updates.flatMap((call) => call.rules))],
    with: names.length === 0 ? undefined : names,
    memo: Object.keys(memos).length === 0 ? undefined : memos,
    before: Object.keys(before).length === 0 ? undefined : before,
    effects: effects.length === 0 ? undefined : effects,
  }
  return calls.flatMap((call) => (call === first ? [joined] : updates.includes(call) ? [] : [call]))
}

/** The path parameters of a merge request or an issue. */
export type Target = { id: number; merge_request_iid: number } | { id: number; issue_iid: number }

type Shared<Name extends string> = Name extends `mergeRequests.${infer Operation}`
  ? `issues.${Operation}` extends EndpointName
    ? Operation
    : never
  : never

type SharedOperation = Shared<EndpointName>

/** Whether the action can be done to such a subject. */
export function isActionOf({ on }: { on?: 'issues' | 'projects' }, subject: Subject): boolean {
  if (subject === 'project') return on === 'projects'
  return subject === 'merge_request' || on === 'issues'
}

export function targetOf(ref: MergeRequestRef): Target {
  const id = ref.project
  return isIssue(ref) ? { id, issue_iid: numberOf(ref) } : { id, merge_request_iid: ref.iid }
}

/** The call of this operation for a merge request or an issue. */
export function callOn(target: Target, operation: SharedOperation, params: Record<string, unknown> = {}): CallData {
  const resource = 'issue_iid' in target ? 'issues' : 'mergeRequests'
  return { endpoint: `${resource}.${operation}` as EndpointName, params: { ...target, ...params } }
}

/** Whether the call is this operation, for a merge request or an issue. */
export function isCallOn({ endpoint }: Pick<Call, 'endpoint'>, operation: SharedOperation): boolean {
  return endpoint === `mergeRequests.${operation}` || endpoint === `issues.${operation}`
}

export interface ChatPost {
  id: number
  merge_request_iid: number
  /** The name of the operator's destination. */
  to: string
  /** Plain text: markup and mentions of the chat are escaped if its kind is known. */
  text: string
  /** The page of the merge request or the project. */
  url?: string
  /** Equal for the same post, so that it is queued once. */
  key: string
}

export const chatCall = (post: ChatPost): OwnCall => ({ to: 'chat', endpoint: 'chat.post', params: { ...post } })

export const postOf = ({ params }: Pick<Call, 'params'>): ChatPost => params as unknown as ChatPost

/** Characters of a note; the service accepts a million. */
const LONGEST = 100_000

/** The mark has a fingerprint of the rule, because its name may be private. */
const markOf = (purpose: string) => `<!-- bellhop:${fingerprint(purpose)} -->`

/** The form in which texts are compared: a service may change line ends and trim. */
export const plainText = (body: string) => body.replace(/\r\n?/g, '\n').trim()

/** The newest of Bellhop's own notes for this purpose (a rule's name), with its mark. `listed`: newest first. */
export function findBotNote(listed: unknown, purpose: string, bot: { id: number }) {
  for (const each of items(listed as unknown[]) ?? []) {
    if (!isMap(each) || typeof each.id !== 'number' || typeof each.body !== 'string' || each.system === true) continue
    const found = plainText(each.body)
    if (isMap(each.author) && each.author.id === bot.id && found.endsWith(markOf(purpose)))
      return { id: each.id, body: found }
  }
  return undefined
}

/** The text with its hidden mark; undefined for an empty text. */
export function withMark(text: string, purpose: string): string | undefined {
  const trimmed = plainText(cut(text, LONGEST))
  return trimmed === '' ? undefined : `${trimmed}\n\n${markOf(purpose)}`
}
