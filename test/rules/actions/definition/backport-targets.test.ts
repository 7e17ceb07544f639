// Which branches labels name for a backport: a label counts only where a member of the group is known to have set it.
import fc from 'fast-check'
import {
  type BackportArgs,
  backportArgs,
  backportTargets,
  groupOf,
} from '../../../../src/rules/actions/definition/backport-targets.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'
import type { SourceAnswers } from '../../../../src/rules/types.ts'
import { anyText } from '../../../any-text.ts'
import { answer, bot, refused } from '../../world.ts'

const rita = { id: 7, username: 'rita' }
const added = (label: string, user: object | null = rita) => ({ action: 'add', label: { name: label }, user })
const member = (user: object = rita, access_level = 30) => ({ ...user, state: 'active', access_level })
const group = 'groupDirectMembers@acme/release'

/** The sources that the last call asked for and that are not read. */
let unread: string[] = []

function targets(
  labels: string[],
  other: SourceAnswers = {},
  changed: { args?: Partial<BackportArgs>; access?: string; inherited?: boolean; anyGroup?: 'in the rule' } = {},
) {
  const known: SourceAnswers = {
    labelEvents: answer(labels.map((label) => added(label))),
    [group]: answer([member()]),
    project: answer({ path_with_namespace: 'acme/door' }),
    ...other,
  }
  const { access, inherited, args, anyGroup } = changed
  unread = []
  const set_by = {
    members_of: 'acme/release',
    ...(access === undefined ? {} : { access }),
    ...(inherited === undefined ? {} : { inherited }),
  }
  const from_labels = { label: 'backport::*', branch: 'stable-*', set_by }
  return backportTargets(
    { to: [], labels: [], from_labels, ...args },
    {
      answer(name) {
        if (known[name] === undefined) unread.push(name)
        return known[name]
      },
      bot,
      now: '2026-01-11T00:00:00Z',
      fact: () => labels,
      ...(anyGroup === undefined ? {} : { anyGroup }),
    },
  )
}
const problem = (...of: Parameters<typeof targets>) => {
  const found = targets(...of)
  return found.targets.length === 0 ? found.problems.join() : found.targets
}

describe('a label that a member of the group set', () => {
  it('names a branch, and other labels none', () => {
    expect(targets(['backport::1.2', 'backport::', 'bug', 'xbackport::3'])).toEqual({
      targets: ['stable-1.2'],
      problems: [],
    })
  })
  it('counts by an inherited member where the rule says so', () => {
    const inherited = { [group]: answer([]), 'groupMembers@acme/release': answer([member()]) }
    expect(targets(['backport::1.2'], inherited).targets).toEqual([])
    expect(targets(['backport::1.2'], inherited, { inherited: true }).targets).toEqual(['stable-1.2'])
  })
  it('adds to the branches that the rule names, each once', () => {
    const args = { to: ['next', 'stable-1.2'] }
    expect(targets(['backport::1.2', 'backport::1.3'], {}, { args })).toMatchObject({
      targets: ['next', 'stable-1.2', 'stable-1.3'],
    })
  })
  it('counts as one of its last setter', () => {
    const [bob, label] = [{ id: 8, username: 'bob' }, 'backport::1.2']
    const setBy = (...users: object[]) => ({ labelEvents: answer(users.map((user) => added(label, user))) })
    expect(targets([label], setBy(bob, rita))).toMatchObject({ targets: ['stable-1.2'] })
    expect(problem([label], setBy(rita, bob))).toBe(
      'the label "backport::1.2" does not count: bob set it, and is not a direct member of acme/release',
    )
  })
})

describe('nothing is backported by a label', () => {
  const label = ['backport::1.2']
  it.each<[string, SourceAnswers, string]>([
    ['whose events cannot be read', { labelEvents: refused() }, 'who set the labels cannot be read'],
    [
      'whose events are cut',
      { labelEvents: answer([added('backport::1.2')], false) },
      'who set the labels cannot be read',
    ],
    [
      'without an event',
      { labelEvents: answer([]) },
      'the label "backport::1.2" does not count: the service does not say who set it',
    ],
    [
      'where the group does not exist',
      { [group]: refused() },
      'the label "backport::1.2" does not count: the group acme/release does not exist, or Bellhop cannot see it',
    ],
    [
      'where the group has more members than are read',
      { [group]: answer([member({ id: 1, username: 'x' })], false) },
      'the label "backport::1.2" does not count: acme/release has more members than are read',
    ],
    [
      'of Bellhop itself, even as a member',
      { labelEvents: answer([added('backport::1.2', bot)]), [group]: answer([member(bot)]) },
      'the label "backport::1.2" does not count: bellhop set it, and is not a direct member of acme/release',
    ],
    [
      'where the group is of others',
      { project: answer({ path_with_namespace: 'other/door' }) },
      'the label "backport::1.2" does not count: acme/release is not in the project’s own top-level group: the operator’s policy allows others with groups: any',
    ],
  ])('%s', (_why, other, reason) => {
    expect(problem(label, other)).toBe(reason)
  })
  it('of a member with too low a level', () => {
    expect(problem(label, {}, { access: 'maintainer' })).toBe(
      'the label "backport::1.2" does not count: rita set it, and is not a direct member of acme/release with maintainer or above',
    )
    expect(problem(label, {}, { access: 'developer' })).toEqual(['stable-1.2'])
  })
  it('where labels name too many branches; those that the rule names stay', () => {
    const labels = ['1', '2', '3', '4', '5'].map((each) => `backport::${each}`)
    expect(targets(labels, {}, { args: { to: ['next'] } })).toEqual({
      targets: ['next'],
      problems: ['the labels name more than 5 branches'],
    })
    expect(targets(labels)).toMatchObject({ problems: [] })
  })
})

it('reads only what it needs: the events where a label fits, then the group', () => {
  const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined])) as never
  const asked = (...of: Parameters<typeof targets>) => {
    targets(...of)
    return unread
  }
  expect(asked(['bug'], without('labelEvents', group, 'project'))).toEqual([])
  expect(asked(['backport::1'], without('labelEvents', group, 'project'))).toEqual(['labelEvents'])
  expect(asked(['backport::1', 'backport::2'], without(group, 'project'))).toEqual(['project', 'project'])
  expect(asked(['backport::1'], without(group, 'project'), { anyGroup: 'in the rule' })).toEqual([group])
})

describe('what becomes the name of a branch', () => {
  it.each([
    ...['../main', 'a/b', '1.2/..', '..', '-x', '.x', 'a..b', 'a.lock', 'a.', '*', '1 2', '$(id)', '`id`', 'a:b'],
    ...['ä', '%2e', 'a\nb', '{{ title }}', '$&', ''],
  ])('is not %j', (part) => {
    expect(targets([`backport::${part}`])).toMatchObject({ targets: [] })
  })
  it('is always one that git has, whatever the label', () => {
    const part = fc.oneof(anyText({ maxLength: 60 }), fc.stringMatching(/^[a-z0-9._/$*-]{1,12}$/))
    fc.assert(
      fc.property(part, fc.constantFrom('*', 'stable-*', 'release/*', 'release/*/fix', '*.x'), (star, branch) => {
        const from_labels = { label: 'b::*', branch, set_by: { members_of: 'acme/release' } }
        const found = targets([`b::${star}`], {}, { args: { from_labels } })
        for (const each of found.targets) {
          expect(each).toMatch(/^[A-Za-z0-9](?:[/.]?[A-Za-z0-9_+-]+)*$/)
          expect(each).not.toMatch(/\.lock(?:\/|$)/)
          expect(each.split('/')).toHaveLength(branch.split('/').length)
        }
      }),
    )
  })
  it('is none where a folder of it ends with a dot', () => {
    const from_labels = { label: 'b::*', branch: 'release/*/fix', set_by: { members_of: 'acme/release' } }
    expect(targets(['b::0.'], {}, { args: { from_labels } })).toMatchObject({ targets: [] })
  })
  it('takes the place of the star alone', () => {
    const from_labels = { label: '*-to-stable', branch: 'release/*/fix', set_by: { members_of: 'acme/release' } }
    expect(targets(['1.2-to-stable'], {}, { args: { from_labels } })).toMatchObject({ targets: ['release/1.2/fix'] })
  })
})

function read(value: unknown): BackportArgs | string {
  const issues: Issue[] = []
  return backportArgs.read(value, [], issues) ?? issues.map(({ expected }) => expected).join('; ')
}
const from = (fields: object) => ({
  from_labels: { label: 'backport::*', branch: 'stable-*', set_by: { members_of: 'team/release' }, ...fields },
})

it('target branches are named, or come from labels, or both', () => {
  expect(read({ to: 'next' })).toEqual({ to: ['next'], labels: [], from_labels: null })
  expect(read(from({}))).toMatchObject({ to: [], from_labels: from({}).from_labels })
  expect(read({ to: ['next'], labels: 'backport', ...from({}) })).toMatchObject({ to: ['next'], labels: ['backport'] })
})

it('the group may be limited to a level', () => {
  const { from_labels: named } = from({ set_by: { members_of: 'team/release', access: 'maintainer' } })
  expect(groupOf(named as never)).toEqual({ group: 'team/release', access: 'maintainer' })
})

it.each<[object, string]>([
  [{}, 'the key "to" or "from_labels"'],
  [{ labels: ['x'] }, 'the key "to" or "from_labels"'],
  [from({ label: 'backport' }), 'a label with one *'],
  [from({ label: 'a,*' }), 'a label with one *'],
  [from({ branch: 'stable' }), 'the name of a branch with one *'],
  [from({ branch: '**' }), 'the name of a branch with one *'],
  [from({ branch: '-*' }), 'the name of a branch with one *'],
  [from({ branch: 'a b*' }), 'the name of a branch with one *'],
  [from({ set_by: 'rita' }), 'a mapping with members_of, access, inherited'],
  [from({ set_by: { members_of: 'a b' } }), 'the full path of a group, such as team/security'],
  [{ from_labels: { label: 'a*', branch: '*' } }, 'the key "set_by"'],
])('%j is refused', (value, expected) => {
  expect(read(value)).toContain(expected)
})
