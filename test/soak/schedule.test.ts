// A seed stands for its schedule.
import { createRandom } from '../../soak/random.ts'
import { faultKinds, type ScheduleOptions, type Step, schedule } from '../../soak/schedule.ts'

function stepsOf(seed: number, count: number, options: Partial<ScheduleOptions> = {}): Step[] {
  const steps = schedule(createRandom(seed), { projects: 2, processes: 2, faults: faultKinds, ...options })
  return Array.from({ length: count }, () => steps.next().value)
}

test('the same seed gives the same steps, another one others', () => {
  expect(stepsOf(7, 500)).toEqual(stepsOf(7, 500))
  expect(stepsOf(7, 500)).not.toEqual(stepsOf(8, 500))
})

test('every action and every fault comes in time', () => {
  const steps = stepsOf(7, 3000)
  const done = new Set(steps.flatMap((step) => ('act' in step ? [step.act.do] : [])))
  const broken = new Set(steps.flatMap((step) => ('fault' in step ? [step.fault.break] : [])))
  expect(done.size).toBe(17)
  expect([...broken].sort()).toEqual([...faultKinds].sort())
})

test('only faults that were asked for come', () => {
  const broken = (faults: ScheduleOptions['faults']) =>
    stepsOf(7, 500, { faults }).flatMap((step) => ('fault' in step ? [step.fault.break] : []))
  expect(new Set(broken(['kill']))).toEqual(new Set(['kill']))
  expect(broken([])).toEqual([])
})

test('nothing happens to a merge request before it is opened', () => {
  const opened = new Set<number>()
  for (const step of stepsOf(7, 1000)) {
    if (!('act' in step) || !('slot' in step.act)) continue
    if (step.act.do === 'open') opened.add(step.act.slot)
    expect(opened).toContain(step.act.slot)
  }
})
