// The format of keys and cursors: unambiguous, and valid texts in every store.
import { hash } from 'node:crypto'
import type { MergeRequestRef } from '../../rules/types.ts'

const LONGEST_PART = 200
/** Enough digits for any date, so that text order is time order. */
const TIME_DIGITS = 16
const MEMBER = /^\d{16} [^\0]+$/
/** The key of a record with a plain id, and how a member names it. */
const PLAIN_KEY = /^\["([a-z]+)","([\w-]+)"\]$/
const PLAIN_NAME = /^([a-z]+) ([\w-]+)$/

/** JSON separates the parts, and escapes what a database refuses. */
export function key(kind: string, ...parts: (string | number)[]): string {
  return JSON.stringify([kind, ...parts.map(shortened)])
}

export function mergeRequestKey(kind: string, mergeRequest: MergeRequestRef, ...parts: string[]): string {
  return key(kind, mergeRequest.project, mergeRequest.iid, ...parts)
}

/**
 * A member of a time-ordered index: the time, then the record's key, without the quotes and brackets of a plain one.
 * Redis stores an index of few members in a fifth of the memory where none is longer than 64 bytes.
 */
export function member(at: string, recordKey: string): string {
  return `${timeOf(at)} ${recordKey.replace(PLAIN_KEY, '$1 $2')}`
}

/** The digits of a member's time. */
export const timeIn = (indexMember: string): string => indexMember.slice(0, TIME_DIGITS)

/** Sorts after all members before `at`. */
export function memberAt(at: Date): string {
  return `${timeOf(at.toISOString())} `
}

export function recordKeyOf(indexMember: string): string {
  const name = indexMember.slice(TIME_DIGITS + 1)
  const [, kind, id] = PLAIN_NAME.exec(name) ?? []
  return kind === undefined || id === undefined ? name : JSON.stringify([kind, id])
}

/** A member as an opaque cursor. */
export function cursorOf(indexMember: string): string {
  return Buffer.from(indexMember, 'utf8').toString('base64url')
}

/** Undefined, and so the first page, for what is no cursor. */
export function memberOf(cursor: string | undefined): string | undefined {
  const text = Buffer.from(cursor ?? '', 'base64url').toString('utf8')
  return MEMBER.test(text) ? text : undefined
}

/** Milliseconds since 1970 of an ISO 8601 time; 0 for a text that is none. */
export function msOf(at: string): number {
  const ms = Date.parse(at)
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

const timeOf = (at: string): string => String(msOf(at)).padStart(TIME_DIGITS, '0')

/** Senders choose some ids, and a database limits the length of indexed texts. */
function shortened(part: string | number): string | number {
  if (typeof part === 'number' || part.length <= LONGEST_PART) return part
  return `sha256 ${hash('sha256', JSON.stringify(part))}`
}
