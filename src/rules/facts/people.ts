// Who wrote it, who looks after it, and who pushed.
import type { Fact } from '../fact.ts'
import { fact, known } from '../fact.ts'
import { names, optionalText, text } from '../fact-types.ts'
import { sources } from '../sources.ts'

export const author = fact({
  doc: 'The user name of the author.',
  type: text,
  from: sources.mergeRequest,
  read: (mr) => mr.author?.username,
  example: 'author: [renovate-bot, dependabot]',
  unblock: (wanted) => `an author who is ${wanted}`,
})

export const assignee = fact({
  doc: 'The user name of the assignee; null is nobody.',
  type: optionalText,
  from: sources.mergeRequest,
  read: (mr) => (mr.assignee === null ? null : mr.assignee?.username),
  example: 'assignee: { not: null }',
  unblock: (wanted) => `an assignee who is ${wanted}`,
})

export const pushed_by: Fact<string[]> = {
  doc: 'The user names of everyone who pushed to it, as Bellhop saw it happen; unknown when it did not see all of it. Authors and commit e-mails can be forged, this cannot.',
  type: names,
  from: [sources.mergeRequest.name],
  read(view) {
    const reading = view.source(sources.mergeRequest)
    if (reading.is !== 'read') return reading
    const { pushes } = view.memory
    const [first, last] = [pushes[0], pushes.at(-1)]
    if (first === undefined || last === undefined) return { is: 'absent', reason: 'Bellhop has seen no push to it' }
    if (first.from !== null) return { is: 'absent', reason: 'Bellhop has not seen every push to it' }
    if (typeof reading.body.sha !== 'string' || last.to !== reading.body.sha)
      return { is: 'absent', reason: 'Bellhop has not seen who pushed the head commit' }
    const pushers = pushes.map((push) => push.by.username)
    if (pushers.some((name) => typeof name !== 'string' || name === '')) return { is: 'absent', reason: 'a push names no user' }
    return known(names, [...new Set(pushers)])
  },
  example: 'pushed_by: { all: [renovate-bot] }',
  unblock: (wanted) => `pushes by ${wanted} only`,
}
