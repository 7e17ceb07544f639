// What a rule test says of the service beside facts: who is in a group.
import { sources } from '../facts/definition/sources.ts'
import { level, levelNumber } from '../language/operators/fact-types.ts'
import { groupPath } from '../language/operators/members-of.ts'
import { choice, type Issue, isMap, listOf, type Path, text } from '../language/values/shapes.ts'
import type { SourceAnswer, SourceAnswers } from '../types.ts'
import type { GivenService } from './test-types.ts'

export const serviceKeys = ['groups']

const userName = text(255, 'a user name')
const levels = choice(level.values ?? [])
const MEMBER = 'developer'

function readMembers(value: unknown, path: Path, issues: Issue[]): Record<string, string> {
  if (Array.isArray(value) && value.length === 0) return {}
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, levels.read(each, [...path, name], issues) ?? MEMBER]),
    )
  return Object.fromEntries((listOf(userName, 1000).read(value, path, issues) ?? []).map((name) => [name, MEMBER]))
}

/** Undefined where the state says nothing of it. */
export function readService(value: Record<string, unknown>, path: Path, issues: Issue[]): GivenService | undefined {
  if (!Object.hasOwn(value, 'groups')) return undefined
  const { groups } = value
  const at = [...path, 'groups']
  if (!isMap(groups)) {
    issues.push({ path: at, expected: 'a mapping of groups to lists of their members' })
    return undefined
  }
  const read = Object.entries(groups).flatMap(([name, members]) => {
    const group = groupPath.read(name, [...at, name], issues)
    return group === undefined ? [] : [[group, readMembers(members, [...at, name], issues)] as const]
  })
  return { groups: Object.fromEntries(read) }
}

const answer = (body: unknown): SourceAnswer => ({ ok: true, complete: true, body })

/** A number that is the same for a name every time, so that a member and the user of that name are one. */
export function idOf(name: string): number {
  let id = 0
  for (const character of name.toLowerCase()) id = (id * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return 1000 + id
}

/** The answers of the service; what an earlier state said of it stays. */
export function serviceAnswers(before: SourceAnswers, { groups = {} }: GivenService = {}): SourceAnswers {
  const kept = Object.entries(before).filter(([name]) => name.startsWith(`${sources.groupMembers.name}@`))
  const said = Object.entries(groups).map(([group, members]): [string, SourceAnswer] => [
    `${sources.groupMembers.name}@${group}`,
    answer(
      Object.entries(members).map(([username, access]) => ({
        ...{ id: idOf(username), username, state: 'active' },
        ...{ access_level: levelNumber(access) ?? 0, expires_at: null },
      })),
    ),
  ])
  return Object.fromEntries([...kept, ...said])
}
