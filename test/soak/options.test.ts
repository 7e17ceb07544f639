// What the options of a soak mean, and which are refused.
import { readOptions } from '../../soak/options.ts'

test('faults are all, none or a list', () => {
  const faults = (given: string) => readOptions(['--faults', given])?.faults
  expect(faults('all')).toEqual(['kill', 'terminate', 'freeze', 'calls', 'hooks', 'redis', 'postgres'])
  expect(faults('none')).toEqual([])
  expect(faults('postgres,redis')).toEqual(['redis', 'postgres'])
})

test.each([
  ['--queue', 'cluster'],
  ['--queue', 'toString'],
  ['--faults', 'kill,fire'],
  ['--minutes', '0'],
  ['--seed', 'x'],
  ['--format', 'xml'],
  ['--help'],
])('%s %s shows the usage', (...args) => {
  expect(readOptions(args)).toBeUndefined()
})

test('an option that there is not is refused', () => {
  expect(() => readOptions(['--queues', 'all'])).toThrow()
})
