// How the journal's keys and cursors are written, so that no two things meet and both stores can hold every text.
import { hash } from 'node:crypto'
import type { MergeRequestRef } from '../rules/types.ts'

const LONGEST_PART = 200
/** Enough for the milliseconds of any date, so that the order of texts is the order of time. */
const TIME_DIGITS = 16
const MEMBER = /^\d{16} [^\0]+$/

/** One key of its parts; JSON keeps the parts apart, and writes what a database refuses as escapes. */
export function key(kind: string, ...parts: (string | number)[]): string {
  return JSON.stringify([kind, ...parts.map(shortened)])
}

/** The key of something about one merge request. */
export function mergeRequestKey(kind: string, mergeRequest: MergeRequestRef, ...parts: string[]): string {
  return key(kind, mergeRequest.service, mergeRequest.project, mergeRequest.iid, ...parts)
}

/** A member of an index that is ordered by time: the time, then the key of the record. */
export function member(at: string, recordKey: string): string {
  return `${timeOf(at)} ${recordKey}`
}

/** The member that comes after all of before `at`. */
export function memberAt(at: Date): string {
  return `${timeOf(at.toISOString())} `
}

/** The record that a member names. */
export function recordKeyOf(indexMember: string): string {
  return indexMember.slice(TIME_DIGITS + 1)
}

/** A member as it is handed out, to be given back for the next page. */
export function cursorOf(indexMember: string): string {
  return Buffer.from(indexMember, 'utf8').toString('base64url')
}

/** The member of a cursor; undefined, and so the first page, for what never was one. */
export function memberOf(cursor: string | undefined): string | undefined {
  const text = Buffer.from(cursor ?? '', 'base64url').toString('utf8')
  return MEMBER.test(text) ? text : undefined
}

function timeOf(at: string): string {
  const ms = Date.parse(at)
  return String(Number.isFinite(ms) ? Math.max(0, ms) : 0).padStart(TIME_DIGITS, '0')
}

/** Senders choose some of the ids; a database's index holds no text of any length. */
function shortened(part: string | number): string | number {
  if (typeof part === 'number' || part.length <= LONGEST_PART) return part
  return `sha256 ${hash('sha256', JSON.stringify(part))}`
}
