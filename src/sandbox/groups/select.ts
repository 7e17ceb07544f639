// Filters and sorts groups.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canSeeGroup, groupsOf, isOpenTo, memberLevelInGroup, owner } from '../access/access.ts'
import { sortBy } from '../records/fields.ts'
import type { Group, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export type GroupFilters = Omit<CheckedParams<Api['groups']['list']>, 'page' | 'per_page' | 'statistics'>
type Test = (group: Group) => boolean

export function selectGroups(
  world: World,
  caller: User | null,
  groups: readonly Group[],
  filters: GroupFilters,
): Group[] {
  const tests = [...fieldTests(filters), ...callerTests(world, caller, filters)]
  const found = groups.filter((group) => tests.every((test) => test(group)))
  return sortBy(found, filters.sort, (group) => group[filters.order_by].toLowerCase())
}

function fieldTests({ skip_groups, search, custom_attributes }: GroupFilters): Test[] {
  const skipped = new Set(skip_groups)
  const wanted = search?.toLowerCase() ?? ''
  return [
    ({ id }) => !skipped.has(id),
    ({ name, path }) => name.toLowerCase().includes(wanted) || path.toLowerCase().includes(wanted),
    // Nothing here sets any.
    () => Object.keys(custom_attributes ?? {}).length === 0,
  ]
}

/** Users see their own groups unless they ask for all; administrators see all, as in GitLab. */
function callerTests(world: World, caller: User | null, { owned, all_available }: GroupFilters): Test[] {
  if (caller === null) return owned === true ? [() => false] : [(group) => canSeeGroup(world, caller, group)]
  const own = groupsOf(world, caller)
  const isOwn: Test = ({ id }) => own.has(id)
  const tests = [(all_available ?? caller.is_admin) ? (group: Group) => isOpenTo(caller, group) || isOwn(group) : isOwn]
  if (owned === true) tests.push((group) => memberLevelInGroup(world, caller, group) >= owner)
  return tests
}
