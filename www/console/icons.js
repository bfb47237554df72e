// The drawings of www/icons and www/console/icons, by name.
export const icons = {{icons}};
