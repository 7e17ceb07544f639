// Every parameter that the page describes is in the contract: name, type, whether it is required, its values and its default (api-v4.md §4.1–4.3).
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../src/api/index.ts'
import { page } from './page.ts'

const projectLists = ['projects.list', 'projects.ofUser', 'projects.forks']
const mergeRequestLists = ['mergeRequests.listAll', 'mergeRequests.list']
/** How a paragraph or the head of a table begins, and the endpoints that it is about. */
const described: [string, string[]][] = [
  ['**GET /groups** and **GET /groups/:id/subgroups** query', ['groups.list', 'groups.subgroups']],
  ['**GET /groups/:id/projects** query', ['groups.projects']],
  ['**POST /groups** body', ['groups.create']],
  ['**PUT /groups/:id** body', ['groups.update']],
  ['**POST /groups/:id/ldap_group_links** body', ['groups.ldapLinks.create']],
  ['**List filters**', mergeRequestLists],
  ['**POST /projects/:id/merge_requests** body', ['mergeRequests.create']],
  ['**PUT update** body', ['mergeRequests.update']],
  ['**PUT merge** body', ['mergeRequests.accept']],
  ['**POST approve** body', ['mergeRequests.approve']],
  ['**POST time_estimate / add_spent_time**', ['mergeRequests.timeEstimate', 'mergeRequests.addSpentTime']],
  ['**Project list filters**', projectLists],
  ['**Search by name**', ['projects.list']],
  [
    '**Project settings** shared by create, create-for-user and edit (all optional unless noted)',
    ['projects.create', 'projects.createForUser', 'projects.update'],
  ],
  ['**POST share** body', ['projects.share']],
  ['**Hooks**', ['projects.hooks.create', 'projects.hooks.update']],
  ['**Push rule**', ['projects.pushRule.create', 'projects.pushRule.update']],
]
/** Where the page says in another sentence that one of the endpoints does not take the parameter. */
const notTaken = [
  'groups.subgroups custom_attributes',
  'mergeRequests.listAll iids',
  'projects.createForUser default_branch',
  'projects.update printing_merge_request_link_enabled',
]
/** Where it says in another sentence whether it is required. */
const requiredElsewhere = ['projects.createForUser name', 'projects.list search']

interface Described {
  name: string
  endpoint: string
  info: string
}

function describedIn(text: string, [start, endpoints]: [string, string[]]): Described[] {
  const at = text.indexOf(start)
  const rest = text.slice(at + start.length)
  const end = rest.search(/\n\n(?!\|)/)
  const block = rest.slice(0, end)
  const found = block.includes('\n|') ? inTable(block) : inProse(block)
  return found.flatMap(([name, info]) => endpoints.map((endpoint) => ({ name, endpoint, info })))
}

/** `| iids[] | array of integer | no | rule |`, in one or another order of columns. */
function inTable(block: string): [string, string][] {
  const rows = block.matchAll(/^\| (?!Name)([a-z][^|]*?) \| (.+) \|$/gm)
  return [...rows].flatMap(([, names = '', info = '']) =>
    names
      .split(', ')
      .map((name): [string, string] => [name.replace(/\[.*$/, ''), info.replace(/\| yes \|/, 'required')]),
  )
}

/** `target_branch, title (string; …); labels (…)`: the words in brackets are about all names since the last ones. */
function inProse(block: string): [string, string][] {
  const sentence = block.split(/\. (?:Response|GET returns|The stored)/)[0] ?? ''
  return [...sentence.matchAll(/((?:[a-z_]+, )*[a-z_]+) \(([^)]*)\)/g)].flatMap(([, names = '', info = '']) =>
    names.split(', ').map((name): [string, string] => [name, info]),
  )
}

const all = described.flatMap((each) => describedIn(page ?? '', each)).filter(({ name }) => name !== 'body')
const key = ({ endpoint, name }: Described) => `${endpoint} ${name}`
const schemaOf = ({ endpoint, name }: Described) => {
  const { pathParams, query, body } = endpointsByName.get(endpoint) ?? {}
  return { ...pathParams, ...query, ...body }[name]
}

describe.skipIf(page === undefined)(
  'the parameters that the page describes (skipped where ../shared/api-v4.md is absent)',
  () => {
    it('are found', () => {
      expect(all).toHaveLength(257)
    })

    it.each(all)('$endpoint has $name', (each) => {
      expect(schemaOf(each) !== undefined).toBe(!notTaken.includes(key(each)))
    })

    const present = all.filter((each) => schemaOf(each) !== undefined)
    const accepts = (each: Described, value: unknown) => schemaOf(each)?.safeParse(value).success

    it.each(present.filter((each) => !requiredElsewhere.includes(key(each))))(
      '$endpoint requires $name exactly where the page does',
      (each) => {
        expect(accepts(each, undefined)).toBe(!/\brequired\b/.test(each.info))
      },
    )

    it.each(present.filter(({ info }) => /\bboolean\b/.test(info)))(
      '$endpoint takes true and false for $name',
      (each) => {
        expect([true, false, 'yes'].map((value) => accepts(each, value))).toEqual([true, true, false])
      },
    )

    it.each(present.filter(({ name, info }) => name !== 'id' && /^integer\b/.test(info)))(
      '$endpoint takes a number for $name',
      (each) => {
        expect([each.name === 'group_access' ? 30 : 7, 'seven', 1.5].map((value) => accepts(each, value))).toEqual([
          true,
          false,
          false,
        ])
      },
    )

    const listed = present.flatMap((each) => {
      const values = [
        ...each.info
          .replace(/default.*$/, '')
          .replace(/;.*$/, '')
          .matchAll(/`([^`]+)`/g),
      ].map(([, value]) => value ?? '')
      return each.name.endsWith('_branch') ? [] : values.map((value) => ({ ...each, value }))
    })
    it.each(listed)('$endpoint takes $value for $name', (each) => {
      expect(accepts(each, each.value)).toBe(true)
    })

    const defaults = present.flatMap((each) => {
      const [, value] = /default `([^`]+)`/.exec(each.info) ?? []
      return value === undefined ? [] : [{ ...each, value }]
    })
    it.each(defaults)('$endpoint takes $value for $name when it is not given', (each) => {
      expect(schemaOf(each)?.safeParse(undefined).data).toBe(each.value)
    })

    it('are otherwise only where they are at all', () => {
      for (const each of [...notTaken, ...requiredElsewhere]) expect(all.map(key)).toContain(each)
    })
  },
)
