// review: request reviews, in addition to the present reviewers.
import { callData } from '../../api/call-data.ts'
import { userNamed } from '../facts/definition/service-values.ts'
import { isMap, type Shape } from '../language/values/shapes.ts'
import { show } from '../language/values/wording.ts'
import { type ActionInput, type ActionOutcome, action, blockedBy, nothingToDo, oneCall } from './definition/action.ts'
import { namesById, people, peopleLeftOut, userIds } from './definition/people.ts'
import {
  CODE_OWNERS,
  groupOfPick,
  isAnyDue,
  isPick,
  noticePicked,
  type PickArgs,
  pickArgs,
  rememberPicked,
} from './reviewers/candidates.ts'
import { pickReviewers } from './reviewers/pick-reviewers.ts'

type Args = string[] | PickArgs

const args: Shape<Args> = {
  expected: `${people.expected}, or ${pickArgs.expected}`,
  schema: (context) => ({ anyOf: [people.schema(context), pickArgs.schema(context)] }),
  read: (value, path, issues, context) =>
    isMap(value) ? pickArgs.read(value, path, issues, context) : people.read(value, path, issues, context),
}

function requestReviews(
  names: readonly string[],
  { facts, mr, body }: Pick<ActionInput<Args, 'reviewers'>, 'facts' | 'mr' | 'body'>,
): ActionOutcome {
  const missing = names.filter((name) => !facts.reviewers.some((each) => each.toLowerCase() === name.toLowerCase()))
  if (missing.length === 0) return nothingToDo('they are reviewers already')
  const mergeRequest = body('mergeRequest')
  // The call replaces all reviewers.
  const present = userIds(isMap(mergeRequest) ? mergeRequest.reviewers : undefined)
  const found = missing.map((name) => ({ name, id: userNamed(body(`user@${name}`), name) }))
  const unknown = found.filter(({ id }) => id === undefined).map(({ name }) => name)
  if (unknown.length > 0) return blockedBy(`there is no user ${unknown.join(', ')}`)
  if (present === undefined) return blockedBy('the reviewers cannot be read')
  const added = found.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]))
  const reviewer_ids = [...present, ...added.map(({ id }) => id)]
  const call = callData('mergeRequests.update', { ...mr, reviewer_ids })
  return oneCall(`request a review by ${show(missing)}`, call, { memo: namesById(added) })
}

export default action<Args, 'reviewers'>({
  name: 'review',
  doc: 'Request reviews by these people, or by some that Bellhop picks; the present reviewers stay. It never picks the author, blocked or busy people, those whom the operator’s policy lists as `absent`, or somebody who was picked for this merge request before. Blocked on services without reviewers. GitLab Free keeps one; the others are shown as dropped, and not tried again.',
  synonyms: ['reviewer', 'reviewers', 'assign_reviewers', 'request_review', 'request_reviews'],
  example: 'review: carol',
  args,
  needs: ['reviewers'],
  reads: {
    facts(named, given) {
      if (!isPick(named)) return []
      const { from, replace_after: after } = named
      const mayReplace = after > 0 && (given === undefined || isAnyDue(given, after))
      return [
        ...(['author', 'state'] as const),
        ...(from === CODE_OWNERS ? (['changed_files'] as const) : []),
        ...(mayReplace ? (['approved_by_service'] as const) : []),
      ]
    },
    answers: (named) => (isPick(named) ? [] : named.map((name) => `user@${name}`)),
    sources: [
      ...['groupMembers', 'groupDirectMembers', 'projectMembers', 'codeOwners', 'userStatus', 'openReviews'],
      'reviewerStates',
    ],
  },
  when: (named) => (isPick(named) && named.replace_after > 0 ? 'fresh' : 'one_way'),
  effects: (named) => (isPick(named) ? [] : [{ fact: 'reviewers', add: named }]),
  template: {
    names(named) {
      if (!isPick(named)) return []
      const group = groupOfPick(named)
      if (group !== undefined) return [{ kind: 'group', name: group.group, members: group }]
      if (named.from === CODE_OWNERS) return [{ kind: 'code_owners', name: CODE_OWNERS }]
      return Array.isArray(named.from) ? named.from.map((name) => ({ kind: 'user' as const, name })) : []
    },
  },
  per: 'rule',
  calls(input) {
    const { args: named } = input
    return isPick(named) ? pickReviewers(named, input) : requestReviews(named, input)
  },
  answered: (call, answer) => ({ dropped: peopleLeftOut('reviewer', call, answer) }),
  // Only certain calls count: somebody who was not asked may be asked later.
  remember: (memory, { memo }, certain, at) => (certain ? rememberPicked(memory, memo, at) : memory),
  notice: noticePicked,
})
