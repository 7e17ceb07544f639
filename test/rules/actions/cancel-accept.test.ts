// cancel_accept: nothing merges while a rule requests it, and what events requested is over.
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import { head, pipeline, rule } from '../world.ts'

const running = pipeline('running')
const green = pipeline('success')

describe('cancel_accept', () => {
  it('holds back every merge while its rule matches, and no longer', () => {
    const texts = [rule('{ author: alice }', '{ accept: true }', 'merges'), whileOn('{ cancel_accept: true }')]
    const mr = overTime({ labels: ['on'] })
    expect([mr.sends(texts), mr.sends(texts)]).toEqual([[], []])
    mr.person({ labels: [] })
    expect(mr.sends(texts)).toEqual([['mergeRequests.accept', { sha: head }]])
  })
  it('ends what an event asked to merge', () => {
    const texts = [onEvent('push', '{ accept: true }', 'merges'), whileOn('{ cancel_accept: true }')]
    const mr = overTime(running).after(texts, { events: [happened('push')] })
    expect(mr.memory.standing?.length).toBe(1)
    mr.person({ labels: ['on'] })
    mr.turn(texts)
    expect(mr.memory.standing).toBeUndefined()
    mr.person({ labels: [], ...green })
    expect(mr.sends(texts)).toEqual([])
  })
  it('from an event ends it once: what is asked for later is heard', () => {
    const texts = [
      onEvent('push', '{ accept: true }', 'merges'),
      onEvent('note.create', '{ cancel_accept: true }', 'cancels'),
    ]
    const mr = overTime(running).after(texts, { events: [happened('push')] })
    mr.turn(texts, { events: [happened('note.create', 'd2')] })
    mr.turn(texts, { events: [happened('push', 'd3')] })
    mr.person(green)
    expect(mr.sends(texts)).toEqual([['mergeRequests.accept', { sha: head }]])
  })
})
