// Every parameter that the page describes is in the contract: name, type, whether it is required, values and default.
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

interface PageParameter {
  name: string
  endpoint: string
  info: string
}

function describedIn(text: string, [start, endpoints]: [string, string[]]): PageParameter[] {
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
const key = ({ endpoint, name }: PageParameter) => `${endpoint} ${name}`
const schemaOf = ({ endpoint, name }: PageParameter) => {
  const { pathParams, query, body } = endpointsByName.get(endpoint) ?? {}
  return { ...pathParams, ...query, ...body }[name]
}

/** The values that the page lists for it. */
function valuesOf({ name, info }: PageParameter): string[] {
  const listed = info.replace(/default.*$/, '').replace(/;.*$/, '')
  return name.endsWith('_branch') ? [] : [...listed.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value)
}

/** How the contract differs from the page. */
function differencesOf(each: PageParameter): string[] {
  const { name, info } = each
  const schema = schemaOf(each)
  if ((schema === undefined) !== notTaken.includes(key(each))) return [`${key(each)} is missing, or there`]
  if (schema === undefined) return []
  const accepts = (value: unknown) => schema.safeParse(value).success
  const [, usual] = /default `([^`]+)`/.exec(info) ?? []
  const same = {
    required: requiredElsewhere.includes(key(each)) || accepts(undefined) === !/\brequired\b/.test(info),
    boolean: !/\bboolean\b/.test(info) || (accepts(true) && accepts(false) && !accepts('yes')),
    integer:
      !/^integer\b/.test(info) ||
      name === 'id' ||
      (accepts(name === 'group_access' ? 30 : 7) && !accepts('seven') && !accepts(1.5)),
    values: valuesOf(each).every(accepts),
    default: usual === undefined || schema.safeParse(undefined).data === usual,
  }
  return Object.entries(same).flatMap(([what, is]) => (is ? [] : [`${key(each)}: ${what}`]))
}

it.skipIf(page === undefined)(
  'the parameters of the page are those of the contract (skipped where ../shared/api-v4.md is absent)',
  () => {
    expect(all).toHaveLength(257)
    expect(all.filter((each) => valuesOf(each).length > 0).length).toBeGreaterThan(20)
    expect(all.flatMap(differencesOf)).toEqual([])
    for (const each of [...notTaken, ...requiredElsewhere]) expect(all.map(key)).toContain(each)
  },
)
