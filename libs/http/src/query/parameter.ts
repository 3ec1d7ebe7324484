export {
  optional,
  type Parameter,
  type ParameterSpec,
  type Parameters,
  required,
  wholeNumber,
} from '@carbon/contracts';
