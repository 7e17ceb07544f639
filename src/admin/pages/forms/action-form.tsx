// Forms: a button for one POST operation, hidden if the token lacks its scope; what-if overrides; the filter of a list.
import type { ComponentChildren } from 'preact'
import type { NamedRef } from '../../../rules/facts/definition/subject-ref.ts'
import { pathOf } from '../../api/route.ts'
import { routeNamed } from '../../api/routes/index.ts'
import { stateWords } from '../parts/badge.tsx'
import { useViewer } from '../parts/time.tsx'

interface ActionFormProps {
  /** The operation's name. */
  route: string
  params?: Record<string, string | number>
  input?: Record<string, string | number>
  button: string
  /** Has a field for the reason, for the audit log. */
  why?: true | 'required'
  tone?: 'main' | 'danger'
  children?: ComponentChildren
}

export function ActionForm({ route: name, params = {}, input = {}, button, why, tone, children }: ActionFormProps) {
  const { session } = useViewer()
  const route = routeNamed(name)
  if (!session.scopes.includes(route.scope)) return null
  return (
    <form class="action" method="post" action={`/admin${pathOf(route, params)}`}>
      <CsrfField />
      {Object.entries(input).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {children}
      {why && (
        <input
          name="why"
          required={why === 'required'}
          type="text"
          maxLength={500}
          aria-label="Reason, for the audit log"
          placeholder="Reason (for the audit log)"
        />
      )}
      <button type="submit" class={tone}>
        {button}
      </button>
    </form>
  )
}

export function CsrfField() {
  return <input type="hidden" name="csrf" value={useViewer().session.csrf} />
}

export function ExplainForm({ of, overrides = [] }: { of: NamedRef; overrides?: readonly string[] }) {
  const { project, iid = 0, subject } = of
  const route = subject === 'issue' ? 'explain_issue' : 'explain'
  return (
    <ActionForm route={route} params={{ project, iid }} button="Explain now" tone="main">
      <details class="grow" open={overrides.length > 0}>
        <summary>What if …</summary>
        <div class="field">
          <OverridesField value={overrides.join('\n')} subject={subject} />
        </div>
      </details>
    </ActionForm>
  )
}

/** The field for what-if overrides. */
export function OverridesField({ value, subject }: { value: string; subject?: string }) {
  return (
    <>
      <label for="overrides">What if (optional, one fact a line)</label>
      <textarea
        id="overrides"
        name="overrides"
        rows={2}
        spellcheck={false}
        placeholder={`${subject === 'issue' ? 'state=closed' : 'pipeline=success'}\nlabels+=ready`}
        value={value}
      />
    </>
  )
}

export interface FilterField {
  name: string
  label: string
  type: 'text' | 'number' | 'time' | readonly string[]
  example?: string
}

/** An issue is named as `group/app#12`. */
export const ofProject: FilterField = {
  name: 'project',
  label: 'Project',
  type: 'text',
  example: 'group/app!12 or #12',
}
export const byTime: readonly FilterField[] = [
  { name: 'since', label: 'Since (UTC)', type: 'time' },
  { name: 'until', label: 'Before (UTC)', type: 'time' },
]

interface FilterFormProps {
  path: string
  fields: readonly FilterField[]
  query: Record<string, string>
}

export function FilterForm({ path, fields, query }: FilterFormProps) {
  const set = fields.flatMap(({ name, label }) => (query[name] === undefined ? [] : [`${label}: ${query[name]}`]))
  return (
    <details class="filters">
      <summary>{set.length === 0 ? 'Filter' : `Filter: ${set.join(', ')}`}</summary>
      <form class="filter" method="get" action={`/admin${path}`} aria-label="Filter">
        {fields.map((field) => (
          <div class="field" key={field.name}>
            <label for={`filter-${field.name}`}>{field.label}</label>
            <Field {...field} value={query[field.name] ?? ''} />
          </div>
        ))}
        <div class="buttons">
          <button type="submit">Filter</button>
          {set.length > 0 && <a href={`/admin${path}`}>Clear</a>}
        </div>
      </form>
    </details>
  )
}

function Field({ name, type, value, example }: FilterField & { value: string }) {
  const id = `filter-${name}`
  if (type === 'number')
    return <input id={id} name={name} value={value} type="text" inputMode="numeric" pattern="[0-9]*" size={6} />
  if (type === 'time') return <input id={id} name={name} value={value.slice(0, 16)} type="datetime-local" />
  if (type === 'text')
    return <input id={id} name={name} value={value} type="text" size={12} placeholder={example} {...exactText} />
  return (
    <select id={id} name={name}>
      <option value="">any</option>
      {type.map((each) => (
        <option key={each} value={each} selected={each === value}>
          {stateWords(each)}
        </option>
      ))}
    </select>
  )
}

const exactText = { spellcheck: false, autocapitalize: 'none' } as const

/** The query with its times in ISO 8601, as the admin API takes them. */
export function inUtc(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      isWithoutZone(name, value) ? `${value.slice(0, 16)}:00Z` : value,
    ]),
  )
}

const isWithoutZone = (name: string, value: string) =>
  (name === 'since' || name === 'until') && /^[\d-]{10}T\d\d:\d\d(:\d\d)?$/.test(value)
