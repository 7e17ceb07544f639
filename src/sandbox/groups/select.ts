// The filters and orders of group lists (api-v4.md §4.1).
import { canSeeGroup, groupsOf, isOpenTo, memberLevelInGroup, owner } from '../access.ts'
import type { Group, User } from '../records.ts'
import type { World } from '../world.ts'

export interface Filters {
  skip_groups?: number[] | undefined
  all_available?: boolean | undefined
  search?: string | undefined
  order_by: 'name' | 'path'
  sort: 'asc' | 'desc'
  owned?: boolean | undefined
  custom_attributes?: Record<string, string> | undefined
}
type Test = (group: Group) => boolean

/** Those of the groups that the caller can see and asked for, in order. */
export function selectGroups(world: World, caller: User | null, groups: readonly Group[], filters: Filters): Group[] {
  const tests = [...fieldTests(filters), ...callerTests(world, caller, filters)]
  const found = groups.filter((group) => tests.every((test) => test(group)))
  const direction = filters.sort === 'asc' ? 1 : -1
  const keyed = found.map((group) => ({ group, key: group[filters.order_by].toLowerCase() }))
  keyed.sort((a, b) => direction * (a.key === b.key ? a.group.id - b.group.id : a.key < b.key ? -1 : 1))
  return keyed.map(({ group }) => group)
}

function fieldTests({ skip_groups, search, custom_attributes }: Filters): Test[] {
  const skipped = new Set(skip_groups)
  const wanted = search?.toLowerCase() ?? ''
  const attributes = Object.entries(custom_attributes ?? {})
  return [
    ({ id }) => !skipped.has(id),
    ({ name, path }) => name.toLowerCase().includes(wanted) || path.toLowerCase().includes(wanted),
    ({ custom_attributes: kept }) => attributes.every(([key, value]) => Object.hasOwn(kept, key) && kept[key] === value),
  ]
}

/** Users see their own groups unless they ask for all; nobody sees what is public; an administrator sees all, as on real installations. */
function callerTests(world: World, caller: User | null, { owned, all_available }: Filters): Test[] {
  if (caller === null) return owned === true ? [() => false] : [(group) => canSeeGroup(world, caller, group)]
  const own = groupsOf(world, caller)
  const isOwn: Test = ({ id }) => own.has(id)
  const tests = [(all_available ?? caller.is_admin) ? (group: Group) => isOpenTo(caller, group) || isOwn(group) : isOwn]
  if (owned === true) tests.push((group) => memberLevelInGroup(world, caller, group) >= owner)
  return tests
}
