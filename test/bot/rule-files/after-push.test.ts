// The rules after a push: what the delivery says may save calls, but never changes rules by itself.
import { playService } from '../../client/world.ts'
import { serves } from '../service-answers.ts'
import { fileAtCommit, headWith, holds, MINUTE, makeRuleFiles, rules } from './rule-files-world.ts'

playService()

/** Rules that were read from the branch `main`. */
async function afterReading(text: string | null = rules('one')) {
  const made = makeRuleFiles()
  holds(text)
  await made.refresh(7)
  const push = async (branch: string, to: string, defaultBranch?: string) => {
    const after = await made.afterPush(7, { branch, to, defaultBranch })
    return [after?.version.split(' ')[0], await made.names()]
  }
  return { ...made, push }
}
const one = [[['one'], false]]
const two = [[['two'], false]]
const newHead = 'd'.repeat(40)

describe('a push, as its delivery says to', () => {
  test('another branch than the known default branch costs no call', async () => {
    const { push } = await afterReading()
    expect(await push('feature', newHead, 'main')).toEqual([undefined, one])
  })

  test('the default branch, with the file in force, costs one call', async () => {
    const { push } = await afterReading()
    fileAtCommit(rules('one'), newHead)
    expect(await push('main', newHead, 'main')).toEqual(['main', one])
  })

  test('the default branch: the file of its commit is not read again', async () => {
    const { push, refresh, names } = await afterReading()
    fileAtCommit(rules('one'), newHead)
    await push('main', newHead, 'main')
    serves('/projects/7', { id: 7, default_branch: 'main', path_with_namespace: 'hotel/app' })
    serves('/projects/7/repository/branches/main', { name: 'main', commit: { id: newHead } })
    await refresh(7)
    expect(await names()).toEqual(one)
  })

  test('the default branch without a file, where there was none, costs one call', async () => {
    const { push } = await afterReading(null)
    fileAtCommit(null, newHead)
    expect(await push('main', newHead, 'main')).toEqual(['', []])
  })

  test('the default branch, with another file, reads that of the present head', async () => {
    const { push } = await afterReading()
    fileAtCommit(rules('two'), headWith(rules('two')))
    holds(rules('two'))
    expect(await push('main', headWith(rules('two')), 'main')).toEqual(['main', two])
  })
})

describe('a late or forged delivery', () => {
  test('that names an older commit does not bring back its rules', async () => {
    const { push } = await afterReading(rules('two'))
    fileAtCommit(rules('one'), newHead)
    holds(rules('two'))
    expect(await push('main', newHead, 'main')).toEqual(['main', two])
  })

  test('that names an old default branch does not bring back its rules', async () => {
    const { push } = await afterReading(rules('one'))
    fileAtCommit(rules('three'), newHead)
    holds(rules('two'), { branch: 'trunk' })
    expect(await push('main', newHead, 'main')).toEqual(['trunk', two])
  })

  test('that names another default branch than the known one has the project read', async () => {
    const { push } = await afterReading()
    holds(rules('two'), { branch: 'trunk' })
    expect(await push('trunk', newHead, 'trunk')).toEqual(['trunk', two])
  })

  test('to the new default branch, which says nothing of it, is not missed', async () => {
    const { push } = await afterReading()
    holds(rules('two'), { branch: 'trunk' })
    expect(await push('trunk', newHead)).toEqual(['trunk', two])
  })

  test('that names the old default branch hides the new one no longer than rules are reused', async () => {
    const { push, clock } = await afterReading()
    clock.now += 15 * MINUTE
    holds(rules('two'), { branch: 'trunk' })
    expect(await push('trunk', newHead, 'main')).toEqual([undefined, two])
  })

  test('with a name in place of a commit has no file read by that name', async () => {
    const { push } = await afterReading()
    holds(rules('two'))
    expect(await push('main', 'main', 'main')).toEqual(['main', two])
  })
})
