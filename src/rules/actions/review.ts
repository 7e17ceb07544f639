// review: request reviews, in addition to the present reviewers (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { userNamed } from '../facts/definition/users.ts'
import { isMap } from '../language/values/shapes.ts'
import { show } from '../language/values/wording.ts'
import { action, blockedBy, nothingToDo } from './definition/action.ts'
import { namesById, people, peopleLeftOut, userIds } from './definition/people.ts'

export default action({
  name: 'review',
  doc: 'Request reviews; the present reviewers stay. Blocked on services without reviewers. GitLab Free keeps one; the others are shown as dropped.',
  synonyms: ['reviewer', 'reviewers', 'assign_reviewers', 'request_review', 'request_reviews'],
  example: 'review: carol',
  args: people,
  needs: ['reviewers'],
  oneWay: true,
  effects: (names) => [{ fact: 'reviewers', add: names }],
  perRule: 'each',
  reads: (args) => args.map((name) => `user@${name}`),
  calls({ args, facts, mr, body }) {
    const missing = args.filter((name) => !facts.reviewers.some((each) => each.toLowerCase() === name.toLowerCase()))
    if (missing.length === 0) return nothingToDo('they are reviewers already')
    const mergeRequest = body('mergeRequest')
    // The call replaces all.
    const present = userIds(isMap(mergeRequest) ? mergeRequest.reviewers : undefined)
    const found = missing.map((name) => ({ name, id: userNamed(body(`user@${name}`), name) }))
    const unknown = found.filter(({ id }) => id === undefined).map(({ name }) => name)
    if (unknown.length > 0) return blockedBy(`there is no user ${unknown.join(', ')}`)
    if (present === undefined) return blockedBy('the reviewers cannot be read')
    const added = found.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]))
    const reviewer_ids = [...present, ...added.map(({ id }) => id)]
    const call = callData('mergeRequests.update', { ...mr, reviewer_ids })
    return { result: 'call', detail: `request a review by ${show(missing)}`, calls: [{ call, memo: namesById(added) }] }
  },
  leftOut: (call, answer) => peopleLeftOut('reviewer', call, answer),
})
