// A service with people, groups and CODEOWNERS, which answers what a rule that picks reviewers asks for.
import { CODE_OWNERS_PATHS } from '../../../../src/rules/code-owners/read-code-owners.ts'
import { decide } from '../../../../src/rules/engine/decide.ts'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { Trust } from '../../../../src/rules/language/values/rule-types.ts'
import type { DecideInput, Decision, SourceAnswer, SourceAnswers } from '../../../../src/rules/types.ts'
import { answer, answers, change, changesAnswer, file, input, refused, rule, rules } from '../../world.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export interface Service {
  users: string[]
  blocked: string[]
  busy: string[]
  groups: Record<string, Record<string, number>>
  /** Further members of groups, by those above. */
  inherited: Record<string, Record<string, number>>
  /** Groups whose list is cut. */
  cut: string[]
  project: Record<string, number>
  files: Record<string, string>
  open: Record<string, number>
  reviewers: string[]
  notes: { author: string; system?: boolean }[]
  approvedBy: string[]
  states: Record<string, string>
  author: string
  changed: string[]
  state: string
  iid: number
}

const everyone = ['alice', 'bob', 'carol', 'dora', 'erin', 'finn']

export function pickWorld(given: Partial<Service> = {}) {
  const service: Service = {
    ...{
      users: everyone,
      blocked: [],
      busy: [],
      groups: {},
      inherited: {},
      cut: [],
      project: {},
      files: {},
      open: {},
      reviewers: [],
    },
    ...{ notes: [], approvedBy: [], states: {}, author: 'alice', changed: ['src/door.ts'], state: 'opened', iid: 8 },
    ...given,
  }
  let memory = emptyMemory()
  let asked: string[] = []
  const idOf = (name: string) => 100 + everyone.indexOf(name.toLowerCase())
  const user = (name: string) => ({
    id: idOf(name),
    username: name,
    state: service.blocked.includes(name) ? 'blocked' : 'active',
  })
  const membersOf = (group: Record<string, number> | undefined, complete = true): SourceAnswer =>
    group === undefined
      ? refused()
      : answer(
          Object.entries(group).map(([name, access_level]) => ({ ...user(name), access_level })),
          complete,
        )

  function answerTo(name: string): SourceAnswer | undefined {
    const [source = '', of = ''] = name.split(/@(.*)/)
    switch (source) {
      case 'user':
        return answer(service.users.filter((each) => each.toLowerCase() === of.toLowerCase()).map(user))
      case 'userStatus':
        return answer({ availability: service.busy.some((each) => idOf(each) === Number(of)) ? 'busy' : 'not_set' })
      case 'groupMembers':
        return membersOf({ ...service.inherited[of], ...service.groups[of] })
      case 'groupDirectMembers':
        return membersOf(service.groups[of], !service.cut.includes(of))
      case 'projectMembers':
        return membersOf(service.project)
      case 'codeOwners':
        return service.files[of] === undefined ? refused() : answer({ content: base64(service.files[of]) })
      case 'openReviews':
        return answer(Array.from({ length: service.open[of] ?? 0 }, (_, id) => ({ id })))
      case 'notes':
        return answer(service.notes.map(({ author, system = false }) => ({ author: user(author), system, body: 'x' })))
      case 'reviewerStates':
        return answer(
          service.reviewers.map((name) => ({ user: user(name), state: service.states[name] ?? 'unreviewed' })),
        )
      default:
        return undefined
    }
  }

  /** One evaluation: what is asked for is answered, and every call is done, except for who is `dropped`. */
  function turn(
    review: string,
    changes: Partial<DecideInput> & { dropped?: string[]; on?: string; trust?: Trust; also?: string } = {},
  ): Decision {
    const { dropped = [], on, trust = 'operator', also, ...more } = changes
    const others = also === undefined ? [] : [rule('{ state: opened }', `{ review: ${also} }`, 'another')]
    const fields = {
      ...{ author: user(service.author), state: service.state },
      reviewers: service.reviewers.map(user),
    }
    let known: SourceAnswers = {
      ...answers(fields, {
        changes: changesAnswer(
          service.changed.map((path) => change(path)),
          fields,
        ),
        approvals: answer({ approved_by: service.approvedBy.map((name) => ({ user: user(name) })) }),
      }),
    }
    delete known.notes
    delete known.reviewerStates
    delete known['user@carol']
    for (const path of CODE_OWNERS_PATHS) delete known[`codeOwners@${path}`]
    asked = []
    const text =
      on === undefined
        ? rules(rule('{ state: [opened, merged] }', `{ review: ${review} }`), ...others)
        : `rules:\n  - name: the rule\n    on: ${on}\n    then: { review: ${review} }\n`
    for (;;) {
      const mergeRequest = { project: 1, iid: service.iid }
      const result = decide(input([file(text, { trust })], { answers: known, memory, mergeRequest, ...more }))
      if ('decision' in result) {
        finish(result.decision, dropped, more.now)
        return result.decision
      }
      for (const name of result.needs) {
        const found = answerTo(name)
        if (found === undefined || name in known) throw new Error(`asks for ${name}`)
        asked.push(name)
        known = { ...known, [name]: found }
      }
    }
  }

  function finish(decision: Decision, dropped: string[], now = '2026-01-11T00:00:00Z') {
    for (const { params } of decision.calls) {
      const ids = params.reviewer_ids as number[]
      service.reviewers = everyone.filter((name) => ids.includes(idOf(name)) && !dropped.includes(name))
    }
    const responses = decision.calls.map((call) => ({
      ...{ call, status: 200, at: now, tookMs: 1 },
      ...(dropped.length === 0
        ? { result: 'done' as const }
        : { result: 'dropped' as const, dropped: { review: `the service dropped ${dropped.join()}` } }),
    }))
    memory = remember(memory, { ...decision, responses })
  }

  return {
    service,
    turn,
    /** The reviewers after one evaluation. */
    reviewers(review: string, changes: Parameters<typeof turn>[1] = {}): string[] {
      turn(review, changes)
      return service.reviewers
    },
    outcome: (review: string, changes: Parameters<typeof turn>[1] = {}) => turn(review, changes).rules[0]?.actions[0],
    /** What the last evaluation asked for. */
    get asked(): string[] {
      return asked
    },
    get memory() {
      return memory
    },
  }
}
