// The arguments of backport: which labels and branches a rule may write.
import { expect, it } from 'vitest'
import { type BackportArgs, backportArgs, groupOf } from '../../../../src/rules/actions/definition/backport-targets.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'

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
  [from({ label: '*::*' }), 'a label with one *'],
  [from({ label: 'backport::{1,2}*' }), 'a label with one *'],
  [from({ label: 'a,*' }), 'a label with one *'],
  [from({ branch: 'stable' }), 'the name of a branch with one *'],
  [from({ branch: '**' }), 'the name of a branch with one *'],
  [from({ branch: '-*' }), 'the name of a branch with one *'],
  [from({ branch: '/*' }), 'the name of a branch with one *'],
  [from({ branch: 'a b*' }), 'the name of a branch with one *'],
  [from({ set_by: 'rita' }), 'a mapping with members_of, access'],
  [from({ set_by: {} }), 'the key "members_of"'],
  [from({ set_by: { members_of: 'a b' } }), 'the full path of a group, such as team/security'],
  [{ from_labels: { label: 'a*', branch: '*' } }, 'the key "set_by"'],
])('%j is refused', (value, expected) => {
  expect(read(value)).toContain(expected)
})
