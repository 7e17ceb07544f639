// The first queue that fits a target branch is its queue.
import { queueFor } from '../../../src/rules/language/target-queue.ts'
import { file } from '../world.ts'

test('the first queue that fits is that of a branch, and the operator’s go first', () => {
  const own = file('queues: [{ name: own, target: "*" }]\nrules: []\n', { trust: 'repository' })
  const operators = file('queues: [{ name: main, target: main }, { name: rest, target: "r/**" }]\nrules: []\n')
  const names = ['main', 'r/1/2', 'next', 'a/b'].map((target) => queueFor([own, operators], target)?.queue.name)
  expect(names).toEqual(['main', 'rest', 'own', undefined])
  expect(queueFor([own, operators], 'main')?.file).toBe('rules/test.yml')
})
