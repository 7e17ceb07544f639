// The names of the branches that Bellhop builds.
import { attemptOf, branchPrefix } from '../../../src/bot/merge-queue/branch-names.ts'
import { isQueueBranch } from '../../../src/merge-queue/queue-branches.ts'

test('a queue of several targets has branches for each', () => {
  expect(branchPrefix({ name: 'main', target: 'main' }, 'main')).toBe('bellhop/queue/main/')
  const other = (name: string, target: string) => [{ name, target }]
  expect(branchPrefix({ name: 'main', target: 'main' }, 'main', other('main', 'main'))).toBe('bellhop/queue/main/')
  expect(branchPrefix({ name: 'main', target: 'main' }, 'main', other('dev', 'dev'))).toBe('bellhop/queue/main/')
  expect(branchPrefix({ name: 'main', target: 'main' }, 'main', other('main', 'dev'))).toBe('bellhop/queue/main/main/')
  expect(branchPrefix({ name: 'all', target: 'release/*' }, 'release/1')).toBe('bellhop/queue/all/release/1/')
})

test.each([
  ['bellhop/queue/main/12', 12],
  ['bellhop/queue/main/1000000000', 1_000_000_000],
  ['bellhop/queue/main/1000000000000000', undefined],
  ['bellhop/queue/main/012', undefined],
  ['bellhop/queue/main/0', undefined],
  ['bellhop/queue/main/1/2', undefined],
  ['bellhop/queue/main2/1', undefined],
  ['bellhop/queue/main/', undefined],
])('%s is attempt %s of main', (branch, number) => {
  expect(attemptOf(branch, 'bellhop/queue/main/')).toBe(number)
})

test.each([
  ['bellhop/queue/main/1', true],
  ['bellhop/queues', false],
  ['feature/bellhop/queue/main/1', false],
])('%s is a name of merge queues: %s', (branch, expected) => {
  expect(isQueueBranch(branch)).toBe(expected)
})
