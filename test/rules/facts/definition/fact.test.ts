// Facts: a value that is not of its type is absent, never a throw.
import { fact, fixFor, known } from '../../../../src/rules/facts/definition/fact.ts'
import { sources } from '../../../../src/rules/facts/definition/sources.ts'
import { integer, names } from '../../../../src/rules/language/operators/fact-types.ts'

const votes = fact({
  doc: 'Votes.',
  type: integer,
  from: sources.mergeRequest,
  read: (mr) => mr.upvotes,
  complete: () => false,
  example: 'votes: 1',
  toFix: 'votes of',
})
describe('a fact', () => {
  it('is known by its type', () => {
    expect(known(integer, 3)).toEqual({ is: 'known', value: 3, complete: true })
    expect(known(names, ['a'], false, 'why')).toEqual({ is: 'known', value: ['a'], complete: false, remark: 'why' })
    expect(known(integer, '3')).toEqual({ is: 'absent', reason: 'the hosting service does not say' })
  })
  it('says what would make a condition true', () => {
    const fits = () => true
    expect(fixFor(votes, { expected: 'at least 2', actual: 1, fits })).toBe('votes of at least 2')
    const toFix = { true: 'lock it', false: 'unlock it' }
    const fixes = [
      fixFor({ toFix }, { expected: 'true', actual: false, fits }),
      fixFor({ toFix }, { expected: 'false', actual: true, fits }),
    ]
    expect(fixes).toEqual(['lock it', 'unlock it'])
    expect(
      fixFor({ toFix: (expected, actual) => `${expected} for ${actual}` }, { expected: '2', actual: 1, fits }),
    ).toBe('2 for 1')
  })
  it('has no fix where no value that people bring about meets the condition', () => {
    const passes = { toFix: 'a pipeline that is', reachable: ['success'] }
    const fixes = ['success', 'failed'].map((expected) =>
      fixFor(passes, { expected, actual: 'none', fits: (value) => value === expected }),
    )
    expect(fixes).toEqual(['a pipeline that is success', undefined])
  })
})
