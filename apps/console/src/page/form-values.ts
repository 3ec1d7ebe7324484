import { type RefObject, useEffect, useRef } from 'react';

/** The values of a form's controls, by name. */
export type FormValues = Readonly<Record<string, string>>;

/** Writes values into the controls of a form. `reset` would restore those of the first render. */
export function showValues(form: HTMLFormElement | null, values: FormValues): void {
  for (const [name, value] of Object.entries(values)) {
    const control = form?.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value;
  }
}

/** Returns the ref of a form that shows these values whenever they change, without losing the focus. */
export function useFormValues(values: FormValues): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const text = JSON.stringify(values);
  useEffect(() => showValues(form.current, JSON.parse(text)), [text]);
  return form;
}
